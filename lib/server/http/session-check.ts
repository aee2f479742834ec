import 'server-only'
import { AppError } from '@/lib/errors'
import { requireActor } from '@/lib/server/auth/session'
import { createRequestId } from '@/lib/server/service/request'
import { respondError } from './respond'

/**
 * Responds with 204 if the session is valid, otherwise with 401. Does not extend the session. The
 * 401 is not audited, because it would only record that a signed-out person followed a link.
 */
export async function answerSession(request: Request): Promise<Response> {
  try {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new AppError('method_not_allowed', 'This address takes GET')
    await requireActor(request, { active: false })
    return new Response(null, { status: 204 })
  } catch (error) {
    const response = respondError(error, createRequestId())
    if (error instanceof AppError && error.code === 'method_not_allowed')
      response.headers.set('allow', 'GET')
    return response
  }
}
