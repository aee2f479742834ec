import { createServer } from 'node:http'
import Provider, { type Configuration } from 'oidc-provider'
import { findFreePort } from './free-port'
import { createVisitor } from './sign-in'

/** The identity provider's claims about a person. `sub` is also the login name. */
export type Claims = {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: unknown
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

const clientSecret = 'the-secret-of-the-desk-at-its-provider'

/** Returns the settings of a provider whose only client is the dashboard at `deskUrl`. */
function buildProviderConfiguration(
  deskUrl: string,
  claimsBySub: ReadonlyMap<string, Claims>,
): Configuration {
  return {
    clients: [
      {
        client_id: 'paydesk',
        client_secret: clientSecret,
        redirect_uris: [`${deskUrl}/api/auth/callback/sso`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ ...claimsBySub.get(id), sub: id }),
    }),
    // Grants the scopes without a consent screen.
    loadExistingGrant: async (context) => {
      const { client, session, provider } = context.oidc
      const oidcGrant = new provider.Grant({
        clientId: client?.clientId ?? '',
        accountId: session?.accountId ?? '',
      })
      oidcGrant.addOIDCScope('openid email profile')
      await oidcGrant.save()
      return oidcGrant
    },
    cookies: { keys: ['a-key-of-this-test'] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
  }
}

const buildDeskSettings = (issuer: string, roles: string) => ({
  OIDC_DISCOVERY_URL: `${issuer}/.well-known/openid-configuration`,
  OIDC_CLIENT_ID: 'paydesk',
  OIDC_CLIENT_SECRET: clientSecret,
  OIDC_NAME: 'Company ID',
  OIDC_ROLES: roles,
})

type IdentityProviderOptions = { deskUrl: string; roles?: string; port?: number }

/** Starts an OpenID Connect provider that accepts every password. `tell` registers a person. */
export async function startIdentityProvider({
  deskUrl,
  roles = '',
  port: given,
}: IdentityProviderOptions) {
  const port = given ?? (await findFreePort())
  const issuer = `http://127.0.0.1:${port}`
  const claimsBySub = new Map<string, Claims>()
  let userInfoOverride: object | null = null
  const provider = new Provider(issuer, buildProviderConfiguration(deskUrl, claimsBySub))
  let isAvailable = true
  const handleRequest = provider.callback()
  const server = createServer((request, response) => {
    if (!isAvailable) return request.socket.destroy()
    if (userInfoOverride === null || request.url !== '/me') return handleRequest(request, response)
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(userInfoOverride))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    issuer,
    settings: buildDeskSettings(issuer, roles),
    tell: (claims: Claims) => claimsBySub.set(claims.sub, claims),
    /**
     * Sets the response of the user info endpoint for all people. Null restores the normal
     * response.
     */
    answerInfo: (claims: object | null) => {
      userInfoOverride = claims
    },
    /** Registers a new person. Returns their claims. */
    stranger: (overrides: Partial<Claims> = {}) => {
      const sub = `person-${claimsBySub.size + 1}`
      const claims = {
        sub,
        email: `${sub}@company.test`,
        email_verified: true,
        name: `Person ${claimsBySub.size + 1}`,
        ...overrides,
      }
      claimsBySub.set(sub, claims)
      return claims
    },
    answer: (shouldRespond: boolean) => {
      isAvailable = shouldRespond
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

type CookieJar = Map<string, string>

/**
 * Logs a person in at the identity provider: follows its redirects as a browser does, and sends the
 * login form. Returns the URL of the redirect back to the dashboard.
 */
export async function logInAtProvider(
  url: string,
  sub: string,
  jar: CookieJar = new Map(),
): Promise<string> {
  const { origin } = new URL(url)
  const { send } = createVisitor(origin, {}, jar)
  let nextUrl = url
  for (let step = 0; step < 10; step += 1) {
    if (!nextUrl.startsWith(origin)) return nextUrl
    const { pathname, search } = new URL(nextUrl)
    const pageResponse = await send(pathname + search)
    const loginForm =
      pageResponse.status === 200
        ? new URLSearchParams({ prompt: 'login', login: sub, password: 'whatever' })
        : null
    const { headers } = loginForm
      ? await send(pathname, { method: 'POST', body: loginForm })
      : pageResponse
    nextUrl = new URL(headers.get('location') ?? '/nowhere', nextUrl).href
  }
  throw new Error(`the provider did not lead back from ${nextUrl}`)
}

type SsoOptions = {
  fresh?: boolean
  cookies?: CookieJar
  providerCookies?: CookieJar
  beside?: Record<string, string>
  callbackUrl?: string
}

/**
 * Starts a sign-in on the dashboard. Returns the URL of the identity provider to which the
 * dashboard redirects, and a client with the cookies of the dashboard.
 */
export async function startSsoSignIn(
  baseUrl: string,
  { fresh = false, cookies, beside, callbackUrl = '/sign-in?sso=entered' }: SsoOptions = {},
) {
  const { send, jar } = createVisitor(baseUrl, beside, cookies)
  const { csrfToken } = (await (await send('/api/auth/csrf')).json()) as { csrfToken: string }
  const ssoSignInForm = new URLSearchParams({
    csrfToken,
    json: 'true',
    callbackUrl,
    ...(fresh ? { fresh: 'true' } : {}),
  })
  const response = await send('/api/auth/signin/sso', { method: 'POST', body: ssoSignInForm })
  const { url = '' } = response.ok ? ((await response.clone().json()) as { url?: string }) : {}
  return { url, send, jar, response }
}

/**
 * Signs a person in through the identity provider. Returns the desk’s last response, and a client
 * with the session’s cookies.
 */
export async function signInBySso(baseUrl: string, sub: string, options: SsoOptions = {}) {
  const ssoVisitor = await startSsoSignIn(baseUrl, options)
  const returnUrl = new URL(await logInAtProvider(ssoVisitor.url, sub, options.providerCookies))
  const callbackResponse = await ssoVisitor.send(returnUrl.pathname + returnUrl.search)
  return {
    ...ssoVisitor,
    back: returnUrl,
    response: callbackResponse,
    ok: ssoVisitor.jar.has('paydesk.session'),
    location: callbackResponse.headers.get('location') ?? '',
  }
}
