import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cspReportsPath, sessionApiPath, signInPath } from '@/lib/routes'
import { listAppPaths } from './harness/addresses'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type Person, signIn } from './harness/person'
import { type PostgresServer, startPostgresServer } from './harness/postgres'

const metricsToken = 'a-token-for-metrics-of-this-test-0123456789'
const appOrigin = 'https://desk.example.test'

let postgres: PostgresServer
let dashboard: Dashboard
let person: Person

beforeAll(async () => {
  postgres = await startPostgresServer()
  dashboard = await startDashboard({
    serviceUrl: 'http://127.0.0.1:9',
    apiKey: 'key-of-this-test-0123456789',
    databaseUrl: postgres.url,
    env: { METRICS_TOKEN: metricsToken },
  })
  person = await signIn(dashboard.url, 'admin')
})
afterAll(async () => {
  await dashboard?.stop()
  await postgres?.stop()
})

async function countScripts(response: Response) {
  const policy = response.headers.get('content-security-policy') ?? ''
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none'
  const scriptTags = (await response.text()).match(/<script\b[^>]*>/g) ?? []
  return {
    all: scriptTags.length,
    allowed: scriptTags.filter((tag) => tag.includes(`nonce="${nonce}"`)).length,
  }
}

async function expectAllScriptsAllowed(path: string, response: Response): Promise<void> {
  const { all, allowed } = await countScripts(response)
  expect({ path, all, allowed }).toEqual({ path, all, allowed: all })
  expect(all, path).toBeGreaterThan(3)
}

describe('the content security policy', () => {
  test('allows every script of every page and no other', async () => {
    const pagePaths = listAppPaths().filter((path) => !path.startsWith('/api/'))
    expect(pagePaths.length).toBeGreaterThan(40)
    let pageCount = 0
    for (const path of pagePaths) {
      const pageResponse = await person.send(path)
      if (pageResponse.status >= 300 && pageResponse.status < 400) continue
      pageCount += 1
      await expectAllScriptsAllowed(path, pageResponse)
    }
    expect(pageCount).toBeGreaterThan(40)
  })

  test('of an unknown page allows its scripts too, signed in and signed out', async () => {
    for (const path of ['/sandbox/none', '/sandbox/another']) {
      const response = await person.send(path)
      expect([path, response.status]).toEqual([path, 404])
      await expectAllScriptsAllowed(path, response)
    }
    await expectAllScriptsAllowed(signInPath(), await fetch(`${dashboard.url}${signInPath()}`))
  })

  test('has a new nonce for each response', async () => {
    const nonces = new Set<string | undefined>()
    for (let at = 0; at < 20; at += 1) {
      const { headers } = await fetch(`${dashboard.url}${signInPath()}`)
      nonces.add(/'nonce-([^']{24})'/.exec(headers.get('content-security-policy') ?? '')?.[1])
    }
    expect(nonces.size).toBe(20)
    expect(nonces).not.toContain(undefined)
  })

  test('names the report URL, over HTTPS also in the newer form', async () => {
    const env = { APP_ORIGIN: appOrigin, TEST_TIMES: '' }
    const secureDashboard = await startDashboard({
      serviceUrl: 'http://127.0.0.1:9',
      apiKey: 'key-of-this-test-0123456789',
      env,
    })
    const signInPageResponses = [
      await fetch(`${dashboard.url}${signInPath()}`),
      await fetch(`${secureDashboard.url}${signInPath()}`),
    ]
    await secureDashboard.stop()
    const reportTargets = signInPageResponses.map(({ headers }) => ({
      policy: (headers.get('content-security-policy') ?? '')
        .split('; ')
        .filter((part) => part.startsWith('report-')),
      places: headers.get('reporting-endpoints'),
    }))
    expect(reportTargets).toEqual([
      { policy: [`report-uri ${cspReportsPath}`], places: null },
      {
        policy: [`report-uri ${cspReportsPath}`, 'report-to csp'],
        places: `csp="${cspReportsPath}"`,
      },
    ])
  })
})

const sendReport = (body: string, type = 'application/csp-report') =>
  fetch(`${dashboard.url}${cspReportsPath}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  })
const buildCspReportBody = (directive: string) =>
  JSON.stringify({
    'csp-report': {
      'effective-directive': directive,
      'document-uri': 'https://x.test/?q=canary',
      'script-sample': 'canary',
    },
  })

async function readReportCounts(): Promise<Record<string, number>> {
  const metricsText = await (
    await fetch(`${dashboard.url}/api/metrics`, {
      headers: { authorization: `Bearer ${metricsToken}` },
    })
  ).text()
  expect(metricsText).not.toContain('canary')
  return Object.fromEntries(
    [...metricsText.matchAll(/^paydesk_csp_reports_total\{directive="([^"]+)"\} (\d+)$/gm)].map(
      ([, name = '', count]) => [name, Number(count)],
    ),
  )
}

describe('browser reports', () => {
  test('are counted by directive, and nothing else of them is stored', async () => {
    expect((await sendReport(buildCspReportBody('script-src-elem'))).status).toBe(204)
    expect((await sendReport(buildCspReportBody('canary-src'))).status).toBe(204)
    const violationReports = ['style-src-attr', 'style-src-attr', 'img-src'].map(
      (effectiveDirective) => ({
        type: 'csp-violation',
        url: 'https://x.test/?q=canary',
        body: { effectiveDirective, blockedURL: 'canary' },
      }),
    )
    const deprecationReport = { type: 'deprecation', body: { effectiveDirective: 'canary' } }
    expect(
      (
        await sendReport(
          JSON.stringify([...violationReports, deprecationReport]),
          'application/reports+json',
        )
      ).status,
    ).toBe(204)
    expect(await readReportCounts()).toEqual({
      'script-src-elem': 1,
      other: 1,
      'style-src-attr': 2,
      'img-src': 1,
    })
    expect(dashboard.log()).toContain('"event":"csp.violated","code":"script-src-elem"')
    expect(dashboard.log()).not.toContain('canary')
  })

  test.each([
    ['no JSON', 'canary', 400],
    ['another shape', '{"canary":1}', 400],
    ['more than is read', buildCspReportBody('x'.repeat(40_000)), 413],
  ])('with %s are rejected', async (_name, body, status) => {
    const reportResponse = await sendReport(body)
    expect([reportResponse.status, (await reportResponse.text()).includes('canary')]).toEqual([
      status,
      false,
    ])
  })

  test('are read at most 120 times a minute', async () => {
    const reportStatuses: number[] = []
    for (let at = 0; at < 130; at += 1)
      reportStatuses.push((await sendReport(buildCspReportBody('font-src'))).status)
    expect(reportStatuses.at(-1)).toBe(429)
    const { 'font-src': read = 0, not_read: refused = 0 } = await readReportCounts()
    expect(read).toBeLessThan(120)
    expect(read + refused).toBe(133)
  })
})

test('a browser can check if it is signed in, and gets no other data', async () => {
  const signedInResponse = await person.send(sessionApiPath)
  expect([
    signedInResponse.status,
    await signedInResponse.text(),
    signedInResponse.headers.getSetCookie(),
  ]).toEqual([204, '', []])
  const signedOutResponse = await fetch(`${dashboard.url}${sessionApiPath}`)
  expect([signedOutResponse.status, signedOutResponse.headers.getSetCookie()]).toEqual([401, []])
  const otherSession = await signIn(dashboard.url, 'viewer')
  const copiedCookies = [...otherSession.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  await otherSession.signOut()
  expect(
    (await fetch(`${dashboard.url}${sessionApiPath}`, { headers: { cookie: copiedCookies } }))
      .status,
  ).toBe(401)
})

test('the sign-in page checks the session again after a link from another site', async () => {
  const hasSessionCheck = async (site: string) =>
    (
      await (
        await fetch(`${dashboard.url}${signInPath('/sandbox/payouts')}`, {
          headers: { 'sec-fetch-site': site },
        })
      ).text()
    ).includes('Checking whether you are signed in')
  expect({
    none: await hasSessionCheck('none'),
    same: await hasSessionCheck('same-origin'),
    cross: await hasSessionCheck('cross-site'),
  }).toEqual({
    none: false,
    same: false,
    cross: true,
  })
})

test('a failed page has a policy that matches it', async () => {
  await postgres.stop()
  const response = await person.send('/sandbox/payouts')
  const { all, allowed } = await countScripts(response)
  expect({ status: response.status, all, allowed }).toEqual({
    status: 500,
    all: expect.any(Number),
    allowed: all,
  })
  expect(all).toBeGreaterThan(0)
})
