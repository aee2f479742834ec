import { AppError } from '@/lib/errors'
import { authApiPath, sessionApiPath } from '@/lib/routes'
import { clearQueries } from './query/client'

/**
 * The outcome of a sign-in: `refused` covers every wrong or locked pair, on purpose without saying which. After `busy` and `limited` the password was not
 * checked: too many sign-ins at once or a store that does not answer, and too many failed ones from the same network.
 */
export type SignInResult = 'ok' | 'refused' | 'busy' | 'limited' | 'unavailable'

const resultOf: Readonly<Record<number, SignInResult>> = { 200: 'ok', 401: 'refused', 429: 'limited', 503: 'busy' }

/** Asks next-auth for something with a form that begins here. Throws where the form has gone stale, and what the network throws. */
export async function post(action: Parameters<typeof authApiPath>[0], fields: Record<string, string>): Promise<Response> {
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

/** How long a visitor waits for the answer before the form is shown (milliseconds). */
const askedWithin = 5000

/** Whether this browser has a session that lives. Where that cannot be learnt in time it has none: to sign in once more does no harm. */
export const isSignedIn = (): Promise<boolean> =>
  fetch(sessionApiPath, { cache: 'no-store', signal: AbortSignal.timeout(askedWithin) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Ends the session on the server and empties the cache of this page. Throws if the server cannot be reached: the person is still signed in then. */
export async function signOut(): Promise<void> {
  const response = await post('signout', {})
  if (!response.ok) throw new AppError('unavailable')
  clearQueries()
}
