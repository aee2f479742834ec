import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { findFreePort } from './harness/free-port'
import {
  type IdentityProvider,
  logInAtProvider,
  signInBySso,
  startIdentityProvider,
  startSsoSignIn,
} from './harness/identity-provider'
import { createVisitor, trySignIn } from './harness/sign-in'

let idp: IdentityProvider
let ssoDashboard: Dashboard

beforeAll(async () => {
  const port = await findFreePort()
  idp = await startIdentityProvider({
    deskUrl: `http://127.0.0.1:${port}`,
    roles: 'payments-team=operator',
  })
  const serviceOptions = { serviceUrl: 'http://127.0.0.1:9', apiKey: 'key-of-this-test-0123456789' }
  ssoDashboard = await startDashboard({
    ...serviceOptions,
    port,
    env: { ...idp.settings, TRUSTED_PROXIES: '1' },
  })
})
afterAll(async () => {
  await ssoDashboard?.stop()
  await idp?.stop()
})

async function createVisitorWithToken(extraHeaders: Record<string, string>) {
  const { send } = createVisitor(ssoDashboard.url, extraHeaders)
  return { send, ...((await (await send('/api/auth/csrf')).json()) as { csrfToken: string }) }
}

test('the request uses PKCE, state and nonce, with cookies for this host, HttpOnly and Lax', async () => {
  const { url, response } = await startSsoSignIn(ssoDashboard.url)
  const { searchParams, origin } = new URL(url)
  expect(origin).toBe(idp.issuer)
  expect(Object.fromEntries(searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'paydesk',
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    redirect_uri: `${ssoDashboard.url}/api/auth/callback/sso`,
  })
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(searchParams.get(name)?.length).toBeGreaterThan(40)
  const signInCookieLines = response.headers
    .getSetCookie()
    .filter((line) => /paydesk\.(state|nonce|pkce)=/.test(line))
  expect(signInCookieLines).toHaveLength(3)
  for (const line of signInCookieLines) expect(line).toMatch(/Path=\/;.*HttpOnly; SameSite=Lax/)
})

test('a callback of another visitor, a repeated one or an error returns to the form', async () => {
  const { sub } = idp.stranger({ groups: ['payments-team'] })
  const firstVisit = await startSsoSignIn(ssoDashboard.url)
  const returnUrl = new URL(await logInAtProvider(firstVisit.url, sub))
  const callbackPath = returnUrl.pathname + returnUrl.search
  expect((await createVisitor(ssoDashboard.url).send(callbackPath)).headers.get('location')).toBe(
    '/sign-in?sso=failed',
  )
  const otherSignIn = await startSsoSignIn(ssoDashboard.url)
  expect((await otherSignIn.send(callbackPath)).headers.get('location')).toBe('/sign-in?sso=failed')
  expect((await firstVisit.send(callbackPath)).headers.get('location')).toBe(
    `${ssoDashboard.url}/sign-in?sso=entered`,
  )
  expect((await firstVisit.send(callbackPath)).headers.get('location')).toBe('/sign-in?sso=failed')
  const errorResponse = await (await startSsoSignIn(ssoDashboard.url)).send(
    '/api/auth/callback/sso?error=server_error&error_description=CanaryText',
  )
  expect([errorResponse.headers.get('location'), await errorResponse.text()]).toEqual([
    '/sign-in?sso=failed',
    '',
  ])
  const deniedResponse = await (await startSsoSignIn(ssoDashboard.url)).send(
    '/api/auth/callback/sso?error=access_denied',
  )
  expect(deniedResponse.headers.get('location')).toBe('/sign-in?sso=cancelled')
  for (const secretText of [
    'CanaryText',
    returnUrl.searchParams.get('code') ?? '',
    `${sub}@`,
    idp.settings.OIDC_CLIENT_SECRET,
  ])
    expect(ssoDashboard.log()).not.toContain(secretText)
})

test('the sign-in redirects only to Paydesk’s own pages', async () => {
  const { sub } = idp.stranger({ groups: ['payments-team'] })
  for (const callbackUrl of [
    'https://elsewhere.test/',
    '//elsewhere.test/',
    '/\\elsewhere.test',
    'javascript:alert(1)',
  ]) {
    const { location } = await signInBySso(ssoDashboard.url, sub, { callbackUrl })
    expect(new URL(location).origin).toBe(ssoDashboard.url)
  }
})

test('the endpoints accept only their methods and a form of Paydesk', async () => {
  const { send } = createVisitor(ssoDashboard.url)
  expect((await send('/api/auth/signin/sso')).status).toBe(405)
  expect(
    (
      await send('/api/auth/callback/sso', {
        method: 'POST',
        body: new URLSearchParams({ code: 'a' }),
      })
    ).status,
  ).toBe(405)
  expect((await send('/api/auth/callback/sso', { method: 'HEAD' })).status).toBe(405)
  const wrongTokenResponse = await send('/api/auth/signin/sso', {
    method: 'POST',
    body: new URLSearchParams({ csrfToken: 'b', json: 'true' }),
  })
  expect(((await wrongTokenResponse.json()) as { url: string }).url).toContain('csrf=true')
})

test('an unreachable provider returns to the form, and the password sign-in works', async () => {
  idp.answer(false)
  const { url } = await startSsoSignIn(ssoDashboard.url)
  expect(new URL(url).origin).toBe(ssoDashboard.url)
  expect((await trySignIn(ssoDashboard.url, 'viewer@paydesk.test', 'paydesk-demo')).ok).toBe(true)
  idp.answer(true)
  expect(
    (await signInBySso(ssoDashboard.url, idp.stranger({ groups: ['payments-team'] }).sub)).ok,
  ).toBe(true)
})

test('a network with too many attempts is refused before the provider is called', async () => {
  const proxyHeaders = { 'x-forwarded-for': '203.0.113.9' }
  const { csrfToken, send } = await createVisitorWithToken(proxyHeaders)
  const buildSignInBody = () => new URLSearchParams({ csrfToken, json: 'true', callbackUrl: '/' })
  const signInStatuses: number[] = []
  for (let tries = 0; tries < 110 && !signInStatuses.includes(429); tries += 1)
    signInStatuses.push(
      (await send('/api/auth/signin/sso', { method: 'POST', body: buildSignInBody() })).status,
    )
  expect(signInStatuses.at(-1)).toBe(429)
  expect(signInStatuses.length).toBeGreaterThan(99)
  expect((await send('/api/auth/callback/sso?code=a&state=b')).headers.get('location')).toBe(
    '/sign-in?sso=limited',
  )
  expect(
    (await signInBySso(ssoDashboard.url, idp.stranger({ groups: ['payments-team'] }).sub)).ok,
  ).toBe(true)
})
