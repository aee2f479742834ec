import { signInPath } from '@/lib/routes'
import { post } from './session'

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
