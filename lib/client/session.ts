import { AppError } from '@/lib/errors'
import { authApiPath, sessionApiPath } from '@/lib/routes'
import { clearQueries } from './query/client'

/**
 * `refused`: wrong email or password, or locked; deliberately without details. For `busy` (too many
 * sign-ins at once, or no response from the database) and `limited` (too many failed sign-ins from
 * the same network), the password was not checked.
 */
export type SignInResult = 'ok' | 'refused' | 'busy' | 'limited' | 'unavailable'

const resultByStatus: Readonly<Record<number, SignInResult>> = {
  200: 'ok',
  401: 'refused',
  429: 'limited',
  503: 'busy',
}

/** Throws `unavailable` for a stale CSRF token. */
export async function postAuthForm(
  action: Parameters<typeof authApiPath>[0],
  fields: Record<string, string>,
): Promise<Response> {
  const csrfResponse = await fetch(authApiPath('csrf'), { cache: 'no-store' })
  const { csrfToken } = (await csrfResponse.json()) as { csrfToken: string }
  // With `json`, next-auth responds with the URL of the next page instead of a redirect.
  const authFormBody = new URLSearchParams({ ...fields, csrfToken, json: 'true' })
  const authResponse = await fetch(authApiPath(action), { method: 'POST', body: authFormBody })
  // A stale token gets a success status too, but the URL in the body has the parameter `csrf`.
  const { url } = authResponse.ok ? ((await authResponse.clone().json()) as { url?: string }) : {}
  if (url && new URL(url, location.origin).searchParams.has('csrf'))
    throw new AppError('unavailable')
  return authResponse
}

/** The server sets the cookie; the browser code stores nothing. */
export async function signIn(email: string, password: string): Promise<SignInResult> {
  try {
    return (
      resultByStatus[(await postAuthForm('callback/credentials', { email, password })).status] ??
      'unavailable'
    )
  } catch {
    return 'unavailable'
  }
}

/** Milliseconds to wait for the session check. After that, the sign-in form is shown. */
const sessionCheckTimeoutMs = 5000

/** False also if the response is late, because a second sign-in does no harm. */
export const isSignedIn = (): Promise<boolean> =>
  fetch(sessionApiPath, {
    cache: 'no-store',
    signal: AbortSignal.timeout(sessionCheckTimeoutMs),
  }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Throws if the server cannot be reached: the person is then still signed in. */
export async function signOut(): Promise<void> {
  const signOutResponse = await postAuthForm('signout', {})
  if (!signOutResponse.ok) throw new AppError('unavailable')
  clearQueries()
}
