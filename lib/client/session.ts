/** How a sign-in ended: `refused` covers every wrong or locked pair, on purpose without saying which. */
export type SignInResult = 'ok' | 'refused' | 'unavailable'

/** next-auth is fetched only when somebody signs in or out, so no page carries it. */
// biome-ignore lint/style/noRestrictedImports: the browser's one door to next-auth
const auth = () => import('next-auth/react')

/** Signs a person in with e-mail and password. The cookie is set by the server; nothing is kept here. */
export async function signIn(email: string, password: string): Promise<SignInResult> {
  try {
    const result = await (await auth()).signIn('credentials', { email, password, redirect: false })
    if (result?.ok && !result.error) return 'ok'
    return result && result.status >= 500 ? 'unavailable' : 'refused'
  } catch {
    return 'unavailable'
  }
}

/** Ends the session on the server. Throws where the server cannot be reached: then the person is still signed in and must be told. */
export async function signOut(): Promise<void> {
  await (await auth()).signOut({ redirect: false })
}
