import 'server-only'
import type { Profile } from 'next-auth'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import type { Person } from '@/lib/server/auth/people'
import type { Visitor } from '@/lib/server/auth/sign-in'
import type { SsoSettings } from '@/lib/server/config/sso-settings'
import { mergeClaims, parseIdentity } from './identity'
import { signInBySso } from './sso-sign-in'

/**
 * One sign-in at the identity provider. With `isFresh`, the provider must authenticate the person
 * again. The last three fields are the outcome. next-auth does not return it, so it is stored here.
 */
export type SsoVisit = {
  visitor: Visitor
  isFresh: boolean
  entered?: Person
  isRefused?: boolean
  failed?: unknown
}

/**
 * Id of the identity provider in next-auth. It is the last part of paths such as `callback/sso`.
 */
export const ssoId = 'sso'

/**
 * Returns next-auth's settings for the identity provider: authorization code flow with PKCE, state
 * and nonce. The endpoints come from the provider's discovery document.
 */
export function createSsoProvider(settings: SsoSettings, visit: SsoVisit): OAuthConfig<Profile> {
  const { clientId, clientSecret, discoveryUrl, idTokenAlg, name, scope } = settings
  return {
    id: ssoId,
    name,
    type: 'oauth',
    wellKnown: discoveryUrl,
    clientId,
    clientSecret,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    authorization: { params: { scope, ...(visit.isFresh ? { prompt: 'login', max_age: 0 } : {}) } },
    client: { id_token_signed_response_alg: idTokenAlg },
    userinfo: {
      // Many providers send groups and email addresses only in the user info.
      request: async ({ client, tokens }) => {
        const tokenSet = tokens as Awaited<ReturnType<typeof client.callback>>
        const userInfo =
          client.issuer.metadata.userinfo_endpoint && tokenSet.access_token
            ? await client.userinfo(tokenSet)
            : null
        return mergeClaims(tokenSet.claims(), userInfo)
      },
    },
    profile: async (claims) => {
      try {
        const signInResult = await signInBySso(
          parseIdentity({ ...claims }, settings),
          visit.visitor,
        )
        if ('fault' in signInResult) visit.isRefused = true
        else visit.entered = signInResult.person
        return { id: 'token' in signInResult ? signInResult.token : '' }
      } catch (error) {
        visit.failed = error
        return { id: '' }
      }
    },
  }
}
