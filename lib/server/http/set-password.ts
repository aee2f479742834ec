import 'server-only'
import * as z from 'zod'
import { AppError } from '@/lib/errors'
import { readClientOrigin } from '@/lib/server/audit/client'
import { requireUsableLink, setPassword } from '@/lib/server/auth/one-time-links'
import { createRequestId } from '@/lib/server/service/request'
import { readCappedText } from './input'
import { requireSameOrigin } from './own-pages'
import { respond, respondAuditedError } from './respond'

/** Maximum body size (bytes). The body contains only a token and a password. */
const maxBodyBytes = 4096

const bodySchema = z.strictObject({
  token: z.string().regex(/^[\w-]{43}$/),
  password: z.string().max(1000).optional(),
})

/** Throws `bad_request` without any text from the body, which contains secrets. */
async function readBody(request: Request): Promise<z.output<typeof bodySchema>> {
  const text = await readCappedText(request, maxBodyBytes)
  try {
    return bodySchema.parse(JSON.parse(text))
  } catch {
    throw new AppError('bad_request', 'The link is not complete. Open it again as you got it')
  }
}

/** A body without a password only checks that the link can still be used. */
export async function serveSetPassword(request: Request): Promise<Response> {
  const requestId = createRequestId()
  try {
    requireSameOrigin(request)
    const { token, password } = await readBody(request)
    if (password === undefined) await requireUsableLink(token)
    else await setPassword(token, password, readClientOrigin(request.headers))
    return respond(200, {
      response_type: 'object',
      meta: { request_id: requestId },
      data: { set: password !== undefined },
    })
  } catch (error) {
    return respondAuditedError(error, { name: 'people.set_password' }, request, requestId)
  }
}
