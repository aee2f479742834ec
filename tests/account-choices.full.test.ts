import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountChoice } from '@/lib/operations/page-context'
import { activeAccounts, addLimited } from './harness/objects'
import { type Person, signIn, visitor } from './harness/person'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let desk: WholeDesk
let limited: Person
let a: string
let b: string

/** Number of additional accounts. No list contains a row of them. */
const far = 2000

const choices = '/api/sandbox/desk/account-choices'
const acct = (id: string) => `acct_${id}`
const pageOf = async (person: Person, path: string) => (await person.send(path)).text()

const pages = ['/sandbox/home', '/sandbox/payouts?tab=all', '/sandbox/customers?tab=all', '/sandbox/accounts', '/sandbox/activity']
const few = new Map<string, string>()

beforeAll(async () => {
  desk = await startWholeDesk({ mirror: true })
  ;[a = '', b = ''] = await activeAccounts(desk.operator)
  await addLimited(desk.db, 'of-a@paydesk.test', 'operator', a)
  limited = await signIn(desk.dashboard.url, 'of-a@paydesk.test')
  for (const path of pages) few.set(path, await pageOf(desk.operator, path))
  await desk.db.query(
    `insert into mirror_accounts (environment, id, object, seen_at, seen_by, status, name, search)
       select 'sandbox', gen_random_uuid(), jsonb_build_object('business_profile', jsonb_build_object('name', 'Zz far ' || n)), now(), 'read',
         'active', 'zz far ' || n, '' from generate_series(1, ${far}) n`,
  )
})
afterAll(() => desk?.stop())

describe('the list of accounts', () => {
  test('contains all accounts of the environment for a person who sees all', async () => {
    const { status, body } = await desk.operator.get<AccountChoice[]>(choices)
    expect(status).toBe(200)
    const found = body.data ?? []
    expect(found.filter(({ name }) => name.startsWith('Zz far'))).toHaveLength(far)
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining([acct(a), acct(b)]))
    expect(found.every((each) => Object.keys(each).sort().join() === 'id,name,status')).toBe(true)
  })

  test('contains only their own accounts for a limited person, whatever account is requested', async () => {
    for (const query of ['', `?account=${acct(b)}`]) {
      const { body } = await limited.get<AccountChoice[]>(`${choices}${query}`)
      expect(body.data?.map(({ id }) => id)).toEqual([acct(a)])
    }
  })

  test('requires a session and rejects unknown fields', async () => {
    expect((await visitor(desk.dashboard.url).send(choices)).status).toBe(401)
    expect((await desk.operator.get(`${choices}?nonsense=1`)).status).toBe(422)
  })
})

test('the audit can be filtered by any of many accounts', async () => {
  const page = await pageOf(await desk.signIn('reviewer'), '/sandbox/audit')
  expect(page).toMatch(/<option value="acct_[0-9a-f-]{36}">Zz far 288<\/option>/)
})

describe('a page with many accounts', () => {
  test.each(pages)('%s contains only the accounts it shows, and is as small as with few accounts', async (path) => {
    const html = await pageOf(desk.operator, path)
    if (path !== '/sandbox/accounts') expect(html).not.toContain('Zz far')
    expect(html.length).toBeLessThan((few.get(path)?.length ?? 0) * 1.1)
  })

  test('contains the names of its rows’ accounts and of the selected account', async () => {
    const { body } = await desk.operator.get<AccountChoice[]>(choices)
    const names = (body.data ?? []).filter(({ name }) => !name.startsWith('Zz far')).map(({ name }) => name)
    const namesIn = (html: string) => names.filter((name) => html.includes(`>${name.replaceAll('&', '&amp;')}<`))
    const path = '/sandbox/payouts?tab=all'
    expect(namesIn(await pageOf(desk.operator, path))).toEqual(namesIn(few.get(path) ?? ''))
    expect(namesIn(few.get(path) ?? '')).not.toEqual([])
    const chosenAccount = body.data?.find(({ name }) => name === 'Zz far 77')
    expect(await pageOf(desk.operator, `${path}&account=${chosenAccount?.id}`)).toContain('>Zz far 77<')
  })

  test('contains all accounts if one has to be chosen without a script', async () => {
    expect(await pageOf(desk.operator, '/sandbox/payouts/new')).toContain('>Zz far 1999<')
    const [denied, own] = await Promise.all([pageOf(limited, `/sandbox/payouts?account=${acct(b)}`), pageOf(limited, '/sandbox/payouts')])
    for (const html of [denied, own]) {
      expect(html).toContain(`account=${acct(a)}`)
      expect(html).not.toContain('Zz far')
    }
  })
})
