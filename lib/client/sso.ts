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
    const fields = {
      callbackUrl: signInPath(next, 'entered'),
      ...(isFresh ? { fresh: 'true' } : {}),
    }
    const response = await postAuthForm('signin/sso', fields)
    if (response.status === 429) return 'limited'
    const { url } = (await response.json()) as { url?: string }
    // If the identity provider cannot be reached, the URL is one of our own pages.
    const isExternalUrl =
      url !== undefined && URL.canParse(url) && new URL(url).origin !== location.origin
    if (!response.ok || !isExternalUrl || !/^https?:$/.test(new URL(url).protocol))
      return 'unavailable'
    location.assign(url)
    return 'left'
  } catch {
    return 'unavailable'
  }
}
