import 'server-only'
import { NextRequest } from 'next/server'
import { AppError } from '@/lib/errors'
import { type SsoOutcome, signInPath } from '@/lib/routes'
import { clientOf } from '@/lib/server/audit/client'
import { recordRefusal } from '@/lib/server/audit/refusals'
import { ssoHandler } from '@/lib/server/auth/session'
import { errorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'

type Context = { params: Promise<{ nextauth: string[] }> }

/** What an identity provider sends back with somebody. Its texts are for nobody's eyes. */
const said = ['code', 'state', 'iss', 'error']

/** Longer than any code or state is (characters). */
const mostSaid = 4096

/** The request as next-auth may see it: what the provider has to say, each once and of bounded length. */
function cleanVisit(request: Request): NextRequest {
  const { origin, pathname, searchParams } = new URL(request.url)
  const kept = said.flatMap((name) => {
    const value = searchParams.get(name)
    return value !== null && value.length <= mostSaid ? [[name, value]] : []
  })
  return new NextRequest(`${origin}${pathname}?${new URLSearchParams(kept)}`, { method: 'GET', headers: request.headers })
}

/** The same answer, cookies included, that leads to the form with a word on why nobody was let in. */
function toForm(answer: Response | null, outcome: SsoOutcome): Response {
  const headers = new Headers({ location: signInPath(undefined, outcome) })
  for (const line of answer?.headers.getSetCookie() ?? []) headers.append('set-cookie', line)
  return new Response(null, { status: 302, headers })
}

const isCancelled = (request: Request) => new URL(request.url).searchParams.get('error') === 'access_denied'

/**
 * Takes somebody back from the identity provider. The visit is a page in a browser, so whatever keeps them out leads to the form, which says it in words of
 * ours; what it was goes on record or into the log.
 */
export async function serveReturn(request: Request, context: Context, requestId: string): Promise<Response> {
  try {
    const { response, outcome } = await ssoHandler(cleanVisit(request), context, 'back')
    if (outcome === 'entered') return response
    if (outcome === 'refused') return toForm(response, 'refused')
    return toForm(response, isCancelled(request) ? 'cancelled' : 'failed')
  } catch (error) {
    const isLimited = error instanceof AppError && error.code === 'too_many'
    if (!isLimited) log.error({ event: 'request.failed', request_id: requestId, code: errorCode(error) })
    await recordRefusal(error, { name: 'session.sign_in', client: clientOf(request.headers) }).catch(() => undefined)
    return toForm(null, isLimited ? 'limited' : 'failed')
  }
}
