import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deskOperationIds, deskOperations } from '@/lib/operations/desk-operations'
import { sampleItems } from '@/tests/sandbox/sample'
import { startDeskAndStore } from './harness/desk-and-store'
import { signIn } from './harness/person'
import { createVisitor, trySignIn } from './harness/sign-in'
import { storeKinds } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'
import { type IsolatedDesk, startWholeDesk } from './harness/whole-desk'

type AuditRow = Record<string, unknown> & { code: string }

let testStack: IsolatedDesk
beforeAll(async () => {
  testStack = await startWholeDesk({ settingsAt: async () => ({ TRUSTED_PROXIES: '1' }) })
})
afterAll(() => testStack?.stop())

const readLastAuditSeq = async () =>
  Number((await testStack.db.query('select seq from audit_head')).rows[0].seq)
const readAuditRowsSince = async (seq: number): Promise<AuditRow[]> =>
  (
    await testStack.db.query('select body::json as body from audit where seq > $1 order by seq', [
      seq,
    ])
  ).rows.map((row) => row.body as AuditRow)
const listRefusalRows = async (seq: number) =>
  (await readAuditRowsSince(seq)).filter((row) => row.refusal !== undefined)

const crossSiteHeaders = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
const requestTextPattern = /canary|elsewhere/i
const anyHash = expect.stringMatching(/^[0-9a-f]{32}$/)
const apiPrefix = '/api/sandbox'

describe('a visitor without a session', () => {
  const createAnonymousVisitor = () => createVisitor(testStack.dashboard.url)
  const objectId = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
  const requestCases: [method: string, path: string, name: string][] = [
    ['GET', `${apiPrefix}/v1/payouts/${objectId}`, 'payouts.get'],
    ['PUT', `${apiPrefix}/v1/payouts/${objectId}/release`, 'payouts.release'],
    ...deskOperationIds.map((name): [string, string, string] => {
      const { method, path } = deskOperations[name]
      return [method, `${apiPrefix}/desk${path.replace(':id', objectId)}`, name]
    }),
  ]
  // Each request comes from a different network. The audit log gets only one row per network and
  // minute for requests without a session.
  const sampledCasesWithIp = sampleItems(requestCases, 20).map(
    (address, at) => [...address, `198.18.${at}.1`] as const,
  )

  test.each(sampledCasesWithIp)('%s %s leaves a row', async (method, path, name, ip) => {
    const seqBefore = await readLastAuditSeq()
    const anonymousResponse = await createAnonymousVisitor().send(path, {
      method,
      headers: { 'x-forwarded-for': ip },
    })
    expect(anonymousResponse.status).toBe(401)
    const auditRow = await waitUntil(
      'the row',
      async () => (await listRefusalRows(seqBefore))[0] ?? null,
      10,
    )
    expect(auditRow).toMatchObject({
      code: `${name}.unauthenticated`,
      actor: null,
      refusal: 'unauthenticated',
      address: anyHash,
      network: anyHash,
    })
    expect(auditRow.session).toBeUndefined()
  })

  test('leaves no row or text for a URL that does not exist', async () => {
    const viewer = await signIn(testStack.dashboard.url, 'viewer')
    const auditSeqBefore = await readLastAuditSeq()
    const sendAnonymously = (path: string, init?: RequestInit) =>
      createAnonymousVisitor().send(path, init)
    expect(
      (
        await sendAnonymously(`${apiPrefix}/v1/canary`, {
          headers: { 'user-agent': 'canary', cookie: 'paydesk.session=canary' },
        })
      ).status,
    ).toBe(404)
    expect((await sendAnonymously('/api/canary/v1/payouts')).status).toBe(404)
    // This request leaves an audit row. It is the only row, so the two requests before left none.
    expect((await viewer.send(`${apiPrefix}/desk/requests`)).status).toBe(403)
    expect((await listRefusalRows(auditSeqBefore)).map((row) => row.code)).toEqual([
      'requests.list.denied',
    ])
    expect(JSON.stringify(await readAuditRowsSince(0))).not.toMatch(requestTextPattern)
  })
})

describe.each(storeKinds)('a flood of refusals, on %s,', (kind) => {
  test('leaves a first row and a count, also after a stop, and the chain is valid', async () => {
    const serviceOptions = {
      serviceUrl: testStack.sandbox.url,
      apiKey: testStack.sandbox.keys.full,
    }
    const dashboardAndStore = await startDeskAndStore(kind, serviceOptions)
    const { url } = dashboardAndStore.dashboard
    const sendPost = (path: string, headers: Record<string, string> = {}) =>
      fetch(url + path, { method: 'POST', headers })
    const refusalStatuses = await Promise.all(
      Array.from(
        { length: 60 },
        async () => (await sendPost('/api/sandbox/desk/deletions', { origin: url })).status,
      ),
    )
    for (let time = 0; time < 20; time += 1)
      refusalStatuses.push((await sendPost('/api/sandbox/desk/deletions', crossSiteHeaders)).status)
    expect(new Set(refusalStatuses)).toEqual(new Set([401, 403]))
    await dashboardAndStore.dashboard.end()
    const refusalAuditRows = (
      await dashboardAndStore.sql("select body from audit where body like '%refusal%' order by seq")
    ).map((row) => JSON.parse(String(row.body)) as AuditRow & { repeated?: number })
    const listCountsOfRefusal = (refusal: string) =>
      refusalAuditRows.filter((row) => row.refusal === refusal).map(({ repeated = 1 }) => repeated)
    const sumCounts = (counts: number[]) => counts.reduce((sum, times) => sum + times, 0)
    expect({
      signedOut: sumCounts(listCountsOfRefusal('unauthenticated')),
      elsewhere: sumCounts(listCountsOfRefusal('other_site')),
    }).toEqual({
      signedOut: 60,
      elsewhere: 20,
    })
    // Per minute and kind of refusal, the server writes at most two rows: one for the first
    // refusal, and one with the number of further ones.
    expect(refusalAuditRows.length).toBeLessThan(12)
    const expectedAuditCodes = [
      'deletions.request.unauthenticated',
      'deletions.request.other_site',
      'refusals.others.counted',
    ]
    expect(new Set(refusalAuditRows.map((row) => row.code))).toEqual(new Set(expectedAuditCodes))
    expect((await dashboardAndStore.verify()).bad).toBeNull()
    await dashboardAndStore.stop()
  })
})

test('sign-in, failed sign-in and sign-out are audited with their network', async () => {
  const seqBeforeSignIns = await readLastAuditSeq()
  const person = await signIn(testStack.dashboard.url, 'reviewer')
  await trySignIn(testStack.dashboard.url, 'canary@paydesk.test', 'wrong')
  await person.signOut()
  const rows = (await readAuditRowsSince(seqBeforeSignIns)).filter((row) =>
    row.code.startsWith('session.'),
  )
  const expectedClientHashes = { address: anyHash, network: anyHash }
  expect(rows).toMatchObject([
    { code: 'session.sign_in.applied', actor: expect.any(String), ...expectedClientHashes },
    { code: 'session.sign_in.refused', actor: null, ...expectedClientHashes },
    { code: 'session.sign_out.applied', actor: expect.any(String), ...expectedClientHashes },
  ])
  expect(new Set(rows.map((row) => row.address)).size).toBe(1)
})
