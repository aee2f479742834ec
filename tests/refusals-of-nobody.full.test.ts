import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deskOperationIds, deskOperations } from '@/lib/operations/desk-operations'
import { sampleItems } from '@/tests/sandbox/sample'
import { startDeskAndStore } from './harness/desk-and-store'
import { createVisitor, signIn, trySignIn } from './harness/person'
import { storeKinds } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'
import { type OwnDesk, startWholeDesk } from './harness/whole-desk'

type Row = Record<string, unknown> & { code: string }

let desk: OwnDesk
beforeAll(async () => {
  desk = await startWholeDesk({ settingsAt: async () => ({ TRUSTED_PROXIES: '1' }) })
})
afterAll(() => desk?.stop())

const readLastSeq = async () => Number((await desk.db.query('select seq from audit_head')).rows[0].seq)
const readRowsSince = async (seq: number): Promise<Row[]> =>
  (await desk.db.query('select body::json as body from audit where seq > $1 order by seq', [seq])).rows.map((row) => row.body as Row)
const listRefusals = async (seq: number) => (await readRowsSince(seq)).filter((row) => row.refusal !== undefined)

const crossSiteHeaders = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
const words = /canary|elsewhere/i
const hash = expect.stringMatching(/^[0-9a-f]{32}$/)
const api = '/api/sandbox'

describe('a visitor without a session', () => {
  const createAnonymousVisitor = () => createVisitor(desk.dashboard.url)
  const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
  const requestCases: [method: string, path: string, name: string][] = [
    ['GET', `${api}/v1/payouts/${id}`, 'payouts.get'],
    ['PUT', `${api}/v1/payouts/${id}/release`, 'payouts.release'],
    ...deskOperationIds.map((name): [string, string, string] => {
      const { method, path } = deskOperations[name]
      return [method, `${api}/desk${path.replace(':id', id)}`, name]
    }),
  ]
  // Each request comes from a different network, because the audit log gets only one row a minute per network.
  const fromNetworks = sampleItems(requestCases, 20).map((address, at) => [...address, `198.18.${at}.1`] as const)

  test.each(fromNetworks)('%s %s leaves a row', async (method, path, name, ip) => {
    const seqBefore = await readLastSeq()
    const response = await createAnonymousVisitor().send(path, { method, headers: { 'x-forwarded-for': ip } })
    expect(response.status).toBe(401)
    const row = await waitUntil('the row', async () => (await listRefusals(seqBefore))[0] ?? null, 10)
    expect(row).toMatchObject({ code: `${name}.unauthenticated`, actor: null, refusal: 'unauthenticated', address: hash, network: hash })
    expect(row.session).toBeUndefined()
  })

  test('leaves no row or text for a URL that does not exist', async () => {
    const viewer = await signIn(desk.dashboard.url, 'viewer')
    const before = await readLastSeq()
    const send = (path: string, init?: RequestInit) => createAnonymousVisitor().send(path, init)
    expect((await send(`${api}/v1/canary`, { headers: { 'user-agent': 'canary', cookie: 'paydesk.session=canary' } })).status).toBe(404)
    expect((await send('/api/canary/v1/payouts')).status).toBe(404)
    // The row of this later request is the first one, so the two requests before left no row.
    expect((await viewer.send(`${api}/desk/requests`)).status).toBe(403)
    expect((await listRefusals(before)).map((row) => row.code)).toEqual(['requests.list.denied'])
    expect(JSON.stringify(await readRowsSince(0))).not.toMatch(words)
  })
})

describe.each(storeKinds)('a flood of refusals, on %s,', (kind) => {
  test('leaves a first row and a count, also after a stop, and the chain is valid', async () => {
    const service = { serviceUrl: desk.sandbox.url, apiKey: desk.sandbox.keys.full }
    const ownDesk = await startDeskAndStore(kind, service)
    const { url } = ownDesk.dashboard
    const ask = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { method: 'POST', headers })
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await ask('/api/sandbox/desk/deletions', { origin: url })).status),
    )
    for (let time = 0; time < 20; time += 1) statuses.push((await ask('/api/sandbox/desk/deletions', crossSiteHeaders)).status)
    expect(new Set(statuses)).toEqual(new Set([401, 403]))
    await ownDesk.dashboard.end()
    const rows = (await ownDesk.sql("select body from audit where body like '%refusal%' order by seq")).map(
      (row) => JSON.parse(String(row.body)) as Row & { repeated?: number },
    )
    const listRepeats = (refusal: string) => rows.filter((row) => row.refusal === refusal).map(({ repeated = 1 }) => repeated)
    const sumCounts = (told: number[]) => told.reduce((sum, times) => sum + times, 0)
    expect({ signedOut: sumCounts(listRepeats('unauthenticated')), elsewhere: sumCounts(listRepeats('other_site')) }).toEqual({
      signedOut: 60,
      elsewhere: 20,
    })
    // The server writes at most two rows of a kind per minute: one for the first refusal and one for the number of the others.
    expect(rows.length).toBeLessThan(12)
    const codes = ['deletions.request.unauthenticated', 'deletions.request.other_site', 'refusals.others.counted']
    expect(new Set(rows.map((row) => row.code))).toEqual(new Set(codes))
    expect((await ownDesk.verify()).bad).toBeNull()
    await ownDesk.stop()
  })
})

test('sign-in, failed sign-in and sign-out are audited with their network', async () => {
  const before = await readLastSeq()
  const person = await signIn(desk.dashboard.url, 'reviewer')
  await trySignIn(desk.dashboard.url, 'canary@paydesk.test', 'wrong')
  await person.signOut()
  const rows = (await readRowsSince(before)).filter((row) => row.code.startsWith('session.'))
  const expectedOrigin = { address: hash, network: hash }
  expect(rows).toMatchObject([
    { code: 'session.sign_in.applied', actor: expect.any(String), ...expectedOrigin },
    { code: 'session.sign_in.refused', actor: null, ...expectedOrigin },
    { code: 'session.sign_out.applied', actor: expect.any(String), ...expectedOrigin },
  ])
  expect(new Set(rows.map((row) => row.address)).size).toBe(1)
})
