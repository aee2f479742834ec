import 'server-only'
import { AppError } from '@/lib/errors'
import { requireActor } from '@/lib/server/auth/session'
import { newRequestId } from '@/lib/server/service/request'
import { respondError } from './respond'

/**
 * Whether the browser has a session that lives: 204, or 401. It says nothing about whose it is, and does not keep it alive. A row in the audit log would
 * only say that somebody followed a link while signed out.
 */
export async function answerSession(request: Request): Promise<Response> {
  try {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new AppError('method_not_allowed', 'This address takes GET')
    await requireActor(request, { active: false })
    return new Response(null, { status: 204 })
  } catch (error) {
    const response = respondError(error, newRequestId())
    if (error instanceof AppError && error.code === 'method_not_allowed') response.headers.set('allow', 'GET')
    return response
  }
}
