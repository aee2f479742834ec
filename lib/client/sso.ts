import { signInPath } from '@/lib/routes'
import { postAuthForm } from './session'

/**
 * Redirects the browser to the identity provider, and from there to `next`. `isFresh` requires that
 * the person signs in at the provider again. Returns `left`, or why there is no redirect.
 */
export async function redirectToSso(
  next: string,
  isFresh: boolean,
): Promise<'left' | 'limited' | 'unavailable'> {
  try {
    const ssoFormFields = {
      callbackUrl: signInPath(next, 'entered'),
      ...(isFresh ? { fresh: 'true' } : {}),
    }
    const ssoResponse = await postAuthForm('signin/sso', ssoFormFields)
    if (ssoResponse.status === 429) return 'limited'
    const { url } = (await ssoResponse.json()) as { url?: string }
    // If the identity provider cannot be reached, the URL is one of our own pages.
    const isExternalUrl =
      url !== undefined && URL.canParse(url) && new URL(url).origin !== location.origin
    if (!ssoResponse.ok || !isExternalUrl || !/^https?:$/.test(new URL(url).protocol))
      return 'unavailable'
    location.assign(url)
    return 'left'
  } catch {
    return 'unavailable'
  }
}
