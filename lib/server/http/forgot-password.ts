import 'server-only'
import * as z from 'zod'
import { AppError } from '@/lib/errors'
import { readClientAddress, readClientOrigin, toNetworkPrefix } from '@/lib/server/audit/client'
import { mailResetLink } from '@/lib/server/auth/one-time-links'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { canMail } from '@/lib/server/mail/mailer'
import { createRequestId } from '@/lib/server/service/request'
import { delayExitFor } from '@/lib/server/store/store'
import { readCappedText } from './input'
import { requireSameOrigin } from './own-pages'
import { respond, respondAuditedError } from './respond'

const maxBodyBytes = 1024
const bodyShape = z.strictObject({ email: z.email().max(200) })

/** Requests per network and window, window in milliseconds, and maximum of counted networks. */
const [maxRequests, windowMs, maxNetworks] = [10, 600_000, 10_000]
let requestCounts = { since: 0, by: new Map<string, number>() }

/** Counts the requests of the network for any email address. Throws `too_many`. */
function countRequest(network: string): void {
  if (performance.now() - requestCounts.since > windowMs || requestCounts.by.size > maxNetworks)
    requestCounts = { since: performance.now(), by: new Map() }
  const requestCount = (requestCounts.by.get(network) ?? 0) + 1
  requestCounts.by.set(network, requestCount)
  if (requestCount > maxRequests)
    throw new AppError('too_many', 'Too many requests from your network: try again later', {
      retryAfter: 600,
    })
}

async function readEmail(request: Request): Promise<string> {
  const text = await readCappedText(request, maxBodyBytes)
  try {
    return bodyShape.parse(JSON.parse(text)).email
  } catch {
    throw new AppError('bad_request', 'Enter an address like name@company.com')
  }
}

/**
 * The response and its time are the same for every email address, because the address is looked up
 * only after the response is created.
 */
export async function serveForgotPassword(request: Request): Promise<Response> {
  const requestId = createRequestId()
  try {
    requireSameOrigin(request)
    if (!canMail()) throw new AppError('not_found', 'Paydesk sends no mail here')
    const email = await readEmail(request)
    countRequest(toNetworkPrefix(readClientAddress(request.headers) ?? ''))
    const clientOrigin = readClientOrigin(request.headers)
    const pendingMail = new Promise<void>((resolve) => setImmediate(resolve)).then(() =>
      mailResetLink(email, clientOrigin),
    )
    delayExitFor(
      pendingMail.catch((error: unknown) =>
        log.error({ event: 'mail.reset_not_made', code: getErrorCode(error) }),
      ),
    )
    return respond(200, {
      response_type: 'object',
      meta: { request_id: requestId },
      data: { asked: true },
    })
  } catch (error) {
    return respondAuditedError(error, { name: 'people.forgot_password' }, request, requestId)
  }
}
