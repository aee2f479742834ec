import { randomBytes, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { filesBelow, partsIn, wordsIn } from './harness/leaks'
import { newKey, type Person, pdf, signIn } from './harness/person'
import { type Postgres, startPostgres } from './harness/postgres'
import { answers, envelope, payoutOf, type Service, startService } from './harness/service'

const part = (bytes: number) => randomBytes(bytes).toString('base64url')
/** In the form the provider gives keys: three parts, the last two long and random. */
const apiKey = `${part(27)}.${part(120)}.${part(32)}`
const account = `acct_${randomUUID()}`

const canaries = {
  paykey: `canarytoken.${part(20)}`,
  account_number: '900817264553',
  email: 'canary.person.7261@example.test',
  phone: '+15550172615',
  ssn: '917-26-4553',
  dob: '1971-02-26',
  address: '7261 Canary Terrace',
  ip: '203.0.113.172',
  extra: 'canary-undeclared-7261',
}
const words = Object.values(canaries)

/** An object of every kind at once, with everything in it that must stay behind. */
const full = (id: string) => ({
  ...payoutOf(id),
  payment_type: 'payout',
  created_at: '2026-11-20T10:00:00Z',
  paykey: canaries.paykey,
  name: 'Ada Example',
  email: canaries.email,
  phone: canaries.phone,
  address: { address1: canaries.address, city: 'Springfield', state: 'IL', zip: '62701' },
  compliance_profile: { ssn: canaries.ssn, dob: canaries.dob },
  device: { ip_address: canaries.ip },
  bank_data: { routing_number: '021000021', account_number: canaries.account_number, account_type: 'checking' },
  customer_details: { id: randomUUID(), name: 'Ada Example', email: canaries.email, phone: canaries.phone, ssn: canaries.ssn },
  paykey_details: { id: randomUUID(), label: 'BANK ****4553', paykey: canaries.paykey },
  // The phone of a business is shown: it is no person's, and a change of the profile has to send it again.
  business_profile: { name: 'Example Inc', tax_id: canaries.extra, phone: '+18005550100' },
  canary: canaries.extra,
})

/** As some services do when they refuse: the key is in their own words. */
const scolding = answers(401, {
  meta: {},
  response_type: 'error',
  error: { code: 'invalid_api_key', message: `Incorrect API key provided: ${apiKey}.`, type: 'authentication_error' },
})

describe.each(['PGlite', 'PostgreSQL'] as const)('on %s', (kind) => {
  let service: Service
  let postgres: Postgres | null
  let dashboard: Dashboard
  let person: Person
  let ids: string[]
  const told: [string, string][] = []

  beforeAll(async () => {
    service = await startService()
    postgres = kind === 'PostgreSQL' ? await startPostgres() : null
    const env = { LOG_LEVEL: 'debug' }
    dashboard = await startDashboard({ serviceUrl: service.url, apiKey, env, ...(postgres ? { databaseUrl: postgres.url } : {}) })
    person = await signIn(dashboard.url, 'admin')
    ids = Array.from({ length: 3 }, () => service.object((id) => answers(200, envelope(full(id)))))
    const page = { total_items: 3, page_number: 1, page_size: 50 }
    const accounts = answers(200, envelope([full(account.replace('acct_', ''))], { ...page, total_items: 1 }))
    const payments = answers(200, envelope(ids.map(full), page))
    service.lists((response, seen) => (seen.path.startsWith('/v1/accounts') ? accounts : payments)(response, seen))
    await drive()
  })
  afterAll(async () => {
    await dashboard?.stop()
    await postgres?.stop()
    await service?.stop()
  })

  const note = async (what: string, response: Response) => {
    told.push([what, `${JSON.stringify([...response.headers])}\n${await response.text()}`])
    return response.status
  }

  async function pages(id: string, refused: string) {
    const paths = ['/sign-in', '/nowhere', '/sandbox/payouts', `/sandbox/payouts/${id}`, `/sandbox/payouts/${refused}?account=${account}`]
    for (const path of paths) {
      await note(`HTML ${path}`, await person.send(path))
      await note(`RSC ${path}`, await person.send(`${path}${path.includes('?') ? '&' : '?'}_rsc`, { headers: { RSC: '1' } }))
    }
  }

  /** Reads and writes of every kind, done, refused and lost. */
  async function drive() {
    const [id = '', uploaded = ''] = ids
    const refused = service.object(() => scolding)
    const broken = service.object(() => answers(200, JSON.stringify(envelope(full('no id'))).slice(0, -9)))
    await pages(id, refused)
    for (const resource of ['payouts', 'charges', 'customers', 'paykeys', 'accounts']) {
      expect(await note(`JSON ${resource}`, await person.send(`/api/sandbox/v1/${resource}/${id}`))).toBe(200)
      expect(await note(`refused ${resource}`, await person.send(`/api/sandbox/v1/${resource}/${refused}`))).toBe(502)
    }
    expect(await note('JSON payments', await person.send('/api/sandbox/v1/payments'))).toBe(200)
    const cancel = (target: string) =>
      person.send(`/api/sandbox/v1/payouts/${target}/cancel?account=${account}`, {
        method: 'PUT',
        headers: { 'idempotency-key': newKey(), 'content-type': 'application/json' },
        body: JSON.stringify({ reason: 'AUTH_PROOF_OK: the proof was received and checked' }),
      })
    expect(await note('broken read', await person.send(`/api/sandbox/v1/payouts/${broken}`))).toBe(502)
    expect(await note('cancel', await cancel(id))).toBe(200)
    expect(await note('lost cancel', await cancel(broken))).toBe(202)
    const upload = await person.upload({ id: uploaded, account }, pdf('proof.pdf'))
    told.push(['upload', JSON.stringify(upload.body)])
    expect(upload.status).toBe(200)
    expect(await note('refused cancel', await cancel(refused))).toBeGreaterThanOrEqual(500)
    await pages(id, refused)
  }

  const everySink = async (): Promise<[string, Buffer | string][]> => [
    ...told,
    ['the log', dashboard.log()],
    ...(postgres ? [['the tables', await dump(postgres.url)] as [string, string]] : []),
    ...filesBelow(dashboard.dataDir).map((file): [string, Buffer] => [file, fs.readFileSync(file)]),
  ]

  test('what was looked for was really there to be leaked', () => {
    expect(service.seen.length).toBeGreaterThan(20)
    expect(service.seen.every((entry) => entry.headers.authorization === `Bearer ${apiKey}`)).toBe(true)
    expect(told.filter(([, text]) => text.includes('12500')).length).toBeGreaterThan(5)
    expect(told.filter(([what, text]) => what.startsWith('RSC') && text.includes('text/x-component')).length).toBeGreaterThan(5)
    expect(partsIn(`!${apiKey.slice(40, 53)}!`, apiKey)).toEqual([apiKey.slice(40, 53)])
    expect(dashboard.log()).toContain('action.attempt')
  })

  test('no part of the key is in an answer, a page, the log, the store', async () => {
    const leaks = (await everySink()).flatMap(([what, text]) => (partsIn(text, apiKey).length > 0 ? [what] : []))
    expect(leaks).toEqual([])
  })

  test('no paykey token, account number or personal data is in any of them', async () => {
    const leaks = (await everySink()).flatMap(([what, text]) => wordsIn(text, words).map((word) => `${what}: ${word}`))
    expect(leaks).toEqual([])
  })

  test('no part of the key is in what is shipped to browsers', () => {
    const files = filesBelow('.next/static')
    expect(files.length).toBeGreaterThan(10)
    expect(files.filter((file) => partsIn(fs.readFileSync(file), apiKey).length > 0)).toEqual([])
  })
})

/** Every row of every table as text. */
async function dump(url: string): Promise<string> {
  const db = new Client(url)
  await db.connect()
  const tables = await db.query(`select tablename as name from pg_tables where schemaname = 'public'`)
  const texts: unknown[][] = []
  for (const { name } of tables.rows) texts.push((await db.query(`select t::text as row from "${name}" t`)).rows)
  await db.end()
  expect(texts.flat().length).toBeGreaterThan(20)
  return JSON.stringify(texts)
}
