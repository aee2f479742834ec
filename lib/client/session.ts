import { AppError } from '@/lib/errors'
import { authApiPath, sessionApiPath, signInPath } from '@/lib/routes'

/**
 * How a sign-in ended: `refused` covers every wrong or locked pair, on purpose without saying which. `busy` and `limited` were not looked at:
 * too many sign-ins at once, and too many failed ones from the same network.
 */
export type SignInResult = 'ok' | 'refused' | 'busy' | 'limited' | 'unavailable'

const resultOf: Readonly<Record<number, SignInResult>> = { 200: 'ok', 401: 'refused', 429: 'limited', 503: 'busy' }

async function post(action: 'callback/credentials' | 'signin/sso' | 'signout', fields: Record<string, string>): Promise<Response> {
  const csrf = await fetch(authApiPath('csrf'), { cache: 'no-store' })
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  // Asked for in JSON, next-auth names the page to go to instead of redirecting the request.
  const body = new URLSearchParams({ ...fields, csrfToken, json: 'true' })
  const response = await fetch(authApiPath(action), { method: 'POST', body })
  // A token that has gone stale is answered with the way to a page of next-auth's own, and is no success.
  const { url } = response.ok ? ((await response.clone().json()) as { url?: string }) : {}
  if (url && new URL(url, location.origin).searchParams.has('csrf')) throw new AppError('unavailable')
  return response
}

/** Signs a person in with e-mail and password. The cookie is set by the server; nothing is kept here. */
export async function signIn(email: string, password: string): Promise<SignInResult> {
  try {
    return resultOf[(await post('callback/credentials', { email, password })).status] ?? 'unavailable'
  } catch {
    return 'unavailable'
  }
}

/**
 * Leads the browser to the identity provider, from where it comes back to the sign-in page and on to `next`. `isFresh` has it ask for a new proof of who the
 * person is. Gives why it stays here.
 */
export async function leaveForSso(next: string, isFresh: boolean): Promise<'left' | 'limited' | 'unavailable'> {
  try {
    const fields = { callbackUrl: signInPath(next, 'entered'), ...(isFresh ? { fresh: 'true' } : {}) }
    const response = await post('signin/sso', fields)
    if (response.status === 429) return 'limited'
    const { url } = (await response.json()) as { url?: string }
    // Where the provider cannot be asked, the way leads to a page of our own.
    const isAway = url !== undefined && URL.canParse(url) && new URL(url).origin !== location.origin
    if (!response.ok || !isAway || !/^https?:$/.test(new URL(url).protocol)) return 'unavailable'
    location.assign(url)
    return 'left'
  } catch {
    return 'unavailable'
  }
}

/** How long a visitor waits for the answer before the form is shown (milliseconds). */
const askedWithin = 5000

/** Whether this browser has a session that lives. Where that cannot be learnt in time it has none: to sign in once more does no harm. */
export const isSignedIn = (): Promise<boolean> =>
  fetch(sessionApiPath, { cache: 'no-store', signal: AbortSignal.timeout(askedWithin) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Ends the session on the server. Throws where the server cannot be reached: then the person is still signed in and must be told. */
export async function signOut(): Promise<void> {
  const response = await post('signout', {})
  if (!response.ok) throw new AppError('unavailable')
}
