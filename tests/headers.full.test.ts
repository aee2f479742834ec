import { afterAll, beforeAll, expect, test } from 'vitest'
import { getOperation, isDeskOperation, operationIds } from '@/lib/operations/operations'
import { connectBankAccountPath, deskApiPath, documentFramePath, signInPath } from '@/lib/routes'
import { sampleOfEachKind } from '@/tests/sandbox/sample'
import { unknownId as id, listAppPaths } from './harness/addresses'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type Person, signIn } from './harness/person'
import { sendRawRequest } from './harness/raw-request'

/**
 * Headers that are the same in every response. `readContentSecurityPolicy` also checks `Cache-Control` and
 * `Content-Security-Policy`, which differ.
 */
const commonHeaders = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
}
const apiContentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"
const testedMethods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
]

let dashboard: Dashboard
let person: Person

beforeAll(async () => {
  dashboard = await startDashboard({
    serviceUrl: 'http://127.0.0.1:9',
    apiKey: 'key-of-this-test-0123456789',
  })
  person = await signIn(dashboard.url, 'admin')
})
afterAll(() => dashboard?.stop())

/**
 * The paths of Paydesk’s own operations. The folders in `app` do not show them, because a single
 * catch-all route file serves them all.
 */
const deskOperationPaths = operationIds
  .filter(isDeskOperation)
  .map((each) => deskApiPath('sandbox', getOperation(each).path.replace(/:\w+/, id)))
const routePaths = [...listAppPaths(), ...new Set(deskOperationPaths)]
const authAndUnknownPaths = [
  '/api/auth/csrf',
  '/api/auth/callback/credentials',
  '/api/auth/_log',
  '/api/',
  '/api',
  '/_next/image?url=%2Ficon.svg&w=64&q=75',
  '/_next/static/none.js',
  '/none.txt',
]

function buildCookieLines(): string[] {
  return [`Cookie: ${[...person.jar].map(([name, value]) => `${name}=${value}`).join('; ')}`]
}

async function readContentSecurityPolicy(
  method: string,
  path: string,
  headerLines: string[],
): Promise<string> {
  const rawResponse = await sendRawRequest(dashboard.url, `${method} ${path}`, [
    `Host: ${new URL(dashboard.url).host}`,
    ...headerLines,
  ])
  const receivedHeaders = Object.fromEntries(
    Object.keys(commonHeaders).map((name) => [name, rawResponse.headers.get(name)]),
  )
  expect({ method, path, status: rawResponse.status, ...receivedHeaders }).toEqual({
    method,
    path,
    status: expect.any(Number),
    ...commonHeaders,
  })
  expect([method, path, rawResponse.headers.get('cache-control')]).toEqual([
    method,
    path,
    expect.stringContaining('no-store'),
  ])
  expect([method, path, rawResponse.status]).not.toEqual([method, path, 500])
  return rawResponse.headers.get('content-security-policy') ?? ''
}

const testedPaths = [...new Set([...routePaths, ...authAndUnknownPaths])].filter(
  (path) => path !== documentFramePath,
)
const sampledRequests = sampleOfEachKind(
  testedPaths.flatMap((path) =>
    testedMethods.flatMap((method) =>
      [false, true].map((signedIn) => ({ path, method, signedIn })),
    ),
  ),
  1,
  ({ path, method }) => `${path} ${method === 'GET'}`,
  ({ method, signedIn }) => `${method} ${signedIn}`,
)

test.each(testedPaths)('%s returns Paydesk’s headers', async (path) => {
  for (const { method, signedIn } of sampledRequests.filter((each) => each.path === path)) {
    const contentSecurityPolicy = await readContentSecurityPolicy(
      method,
      path,
      signedIn ? buildCookieLines() : [],
    )
    const isPage =
      ['GET', 'HEAD'].includes(method) &&
      !path.startsWith('/api/') &&
      !path.startsWith('/_next/static/')
    if (isPage)
      expect([method, path, contentSecurityPolicy]).toEqual([
        method,
        path,
        expect.stringContaining("script-src 'self' 'nonce-"),
      ])
    else
      expect([method, path, contentSecurityPolicy]).toEqual([
        method,
        path,
        apiContentSecurityPolicy,
      ])
    const isConnectPage = path === connectBankAccountPath('sandbox')
    if (isPage && !isConnectPage)
      expect([path, contentSecurityPolicy]).toEqual([
        path,
        expect.stringContaining("frame-src 'self';"),
      ])
  }
})

test('only Paydesk’s own pages can frame the page for PDFs, which runs only its own script', async () => {
  const { headers, status } = await fetch(`${dashboard.url}${documentFramePath}`)
  const policy = headers.get('content-security-policy')
  expect([status, policy?.replace(/'sha256-[\w+/=]{44}'/, 'HASH')]).toEqual([
    200,
    "default-src 'none'; script-src HASH; style-src 'unsafe-inline'; frame-src blob:; object-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  ])
  expect(Object.fromEntries(headers)).toMatchObject({
    ...commonHeaders,
    'x-frame-options': 'SAMEORIGIN',
    'cache-control': expect.stringContaining('no-store'),
  })
})

test('there are routes to test', () => {
  expect(routePaths).toEqual(
    expect.arrayContaining([
      signInPath(),
      connectBankAccountPath('sandbox'),
      '/api/health',
      `/api/sandbox/desk/actions/${id}`,
    ]),
  )
  expect(routePaths.length).toBeGreaterThan(50)
})

test('built files are cached as immutable and have the same headers', async () => {
  const signInHtml = await (await fetch(`${dashboard.url}${signInPath()}`)).text()
  const [script = ''] = /\/_next\/static\/[^"]+\.js/.exec(signInHtml) ?? []
  const { headers, status } = await fetch(`${dashboard.url}${script}`)
  expect([status, headers.get('cache-control')]).toEqual([
    200,
    expect.stringContaining('immutable'),
  ])
  for (const [name, value] of Object.entries(commonHeaders))
    expect([name, headers.get(name)]).toEqual([name, value])
})

test('forged headers of a proxy or the framework have no effect', async () => {
  const forgedHeaders = {
    'x-forwarded-host': 'canary.test',
    'x-forwarded-proto': 'https',
    'x-nonce': 'canary',
    'content-security-policy': "script-src 'nonce-canary'",
    'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy',
    'x-paydesk-path': '/canary',
    'next-action': 'canary',
  }
  for (const path of ['/', signInPath(), '/sandbox/payouts', '/api/auth/csrf']) {
    const plainResponse = await fetch(`${dashboard.url}${path}`, { redirect: 'manual' })
    const forgedHeadersResponse = await fetch(`${dashboard.url}${path}`, {
      redirect: 'manual',
      headers: forgedHeaders,
    })
    expect([path, forgedHeadersResponse.status]).toEqual([path, plainResponse.status])
    expect(
      JSON.stringify([...forgedHeadersResponse.headers]) + (await forgedHeadersResponse.text()),
    ).not.toContain('canary')
  }
})
