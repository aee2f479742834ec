import 'server-only'
import { NextRequest } from 'next/server'
import { AppError } from '@/lib/errors'
import { type SsoOutcome, signInPath } from '@/lib/routes'
import { readClientOrigin } from '@/lib/server/audit/client'
import { recordRefusal } from '@/lib/server/audit/refusals'
import { handleSsoRequest } from '@/lib/server/auth/session'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'

type RouteContext = { params: Promise<{ nextauth: string[] }> }

/** Other parameters are dropped, such as the provider's error text, so that no page shows them. */
const allowedParams = ['code', 'state', 'iss', 'error']

/** Maximum length of a parameter in characters, longer than any code or state. */
const maxParamLength = 4096

function buildAllowedParamsRequest(request: Request): NextRequest {
  const { origin, pathname, searchParams } = new URL(request.url)
  const cleanParams = allowedParams.flatMap((name) => {
    const value = searchParams.get(name)
    return value !== null && value.length <= maxParamLength ? [[name, value]] : []
  })
  return new NextRequest(`${origin}${pathname}?${new URLSearchParams(cleanParams)}`, {
    method: 'GET',
    headers: request.headers,
  })
}

/** Keeps the cookies that next-auth set in its response. */
function redirectToSignIn(authResponse: Response | null, outcome: SsoOutcome): Response {
  const headers = new Headers({ location: signInPath(undefined, outcome) })
  for (const line of authResponse?.headers.getSetCookie() ?? []) headers.append('set-cookie', line)
  return new Response(null, { status: 302, headers })
}

const isSignInCancelled = (request: Request) =>
  new URL(request.url).searchParams.get('error') === 'access_denied'

/** The browser shows the response as a page, so every failure redirects to the sign-in form. */
export async function serveSsoReturn(
  request: Request,
  context: RouteContext,
  requestId: string,
): Promise<Response> {
  try {
    const { response, outcome } = await handleSsoRequest(
      buildAllowedParamsRequest(request),
      context,
      'back',
    )
    if (outcome === 'entered') return response
    if (outcome === 'refused') return redirectToSignIn(response, 'refused')
    return redirectToSignIn(response, isSignInCancelled(request) ? 'cancelled' : 'failed')
  } catch (error) {
    const isRateLimited = error instanceof AppError && error.code === 'too_many'
    if (!isRateLimited)
      log.error({ event: 'request.failed', request_id: requestId, code: getErrorCode(error) })
    await recordRefusal(error, {
      name: 'session.sign_in',
      client: readClientOrigin(request.headers),
    }).catch(() => undefined)
    return redirectToSignIn(null, isRateLimited ? 'limited' : 'failed')
  }
}
