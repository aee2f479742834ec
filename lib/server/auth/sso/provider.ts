import 'server-only'
import type { Profile } from 'next-auth'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import type { Person } from '@/lib/server/auth/people'
import type { Visitor } from '@/lib/server/auth/sign-in'
import type { SsoSettings } from '@/lib/server/config/sso-settings'
import { mergeClaims, parseIdentity } from './identity'
import { signInBySso } from './sso-sign-in'

/**
 * With `isFresh`, the provider must authenticate the person again. The last three fields are the
 * outcome, which next-auth does not return.
 */
export type SsoRequestState = {
  visitor: Visitor
  isFresh: boolean
  entered?: Person
  isRefused?: boolean
  failed?: unknown
}

/** The last part of next-auth's paths such as `callback/sso`. */
export const ssoId = 'sso'

/**
 * Authorization code flow with PKCE, state and nonce. The endpoints come from the provider's
 * discovery document.
 */
export function createSsoProvider(
  settings: SsoSettings,
  ssoState: SsoRequestState,
): OAuthConfig<Profile> {
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
    authorization: {
      params: { scope, ...(ssoState.isFresh ? { prompt: 'login', max_age: 0 } : {}) },
    },
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
          ssoState.visitor,
        )
        if ('fault' in signInResult) ssoState.isRefused = true
        else ssoState.entered = signInResult.person
        return { id: 'token' in signInResult ? signInResult.token : '' }
      } catch (error) {
        ssoState.failed = error
        return { id: '' }
      }
    },
  }
}
