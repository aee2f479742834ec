import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountChoice } from '@/lib/operations/page-context'
import { addLimitedPerson, listActiveAccounts } from './harness/objects'
import { createVisitor, type Person, signIn } from './harness/person'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let desk: WholeDesk
let limitedPerson: Person
let accountA: string
let accountB: string

/** Number of additional accounts. No list contains a row of them. */
const extraAccountCount = 2000

const choicesPath = '/api/sandbox/desk/account-choices'
const toUrlId = (id: string) => `acct_${id}`
const fetchPage = async (person: Person, path: string) => (await person.send(path)).text()

const pages = ['/sandbox/home', '/sandbox/payouts?tab=all', '/sandbox/customers?tab=all', '/sandbox/accounts', '/sandbox/activity']
const fewAccounts = new Map<string, string>()

beforeAll(async () => {
  desk = await startWholeDesk({ mirror: true })
  ;[accountA = '', accountB = ''] = await listActiveAccounts(desk.operator)
  await addLimitedPerson(desk.db, 'of-a@paydesk.test', 'operator', accountA)
  limitedPerson = await signIn(desk.dashboard.url, 'of-a@paydesk.test')
  for (const path of pages) fewAccounts.set(path, await fetchPage(desk.operator, path))
  await desk.db.query(
    `insert into mirror_accounts (environment, id, object, seen_at, seen_by, status, name, search)
       select 'sandbox', gen_random_uuid(), jsonb_build_object('business_profile', jsonb_build_object('name', 'Zz far ' || n)), now(), 'read',
         'active', 'zz far ' || n, '' from generate_series(1, ${extraAccountCount}) n`,
  )
})
afterAll(() => desk?.stop())

describe('the list of accounts', () => {
  test('contains all accounts of the environment for a person who sees all', async () => {
    const { status, body } = await desk.operator.get<AccountChoice[]>(choicesPath)
    expect(status).toBe(200)
    const foundChoices = body.data ?? []
    expect(foundChoices.filter(({ name }) => name.startsWith('Zz far'))).toHaveLength(extraAccountCount)
    expect(foundChoices.map(({ id }) => id)).toEqual(expect.arrayContaining([toUrlId(accountA), toUrlId(accountB)]))
    expect(foundChoices.every((each) => Object.keys(each).sort().join() === 'id,name,status')).toBe(true)
  })

  test('contains only their own accounts for a limited person, whatever account is requested', async () => {
    for (const query of ['', `?account=${toUrlId(accountB)}`]) {
      const { body } = await limitedPerson.get<AccountChoice[]>(`${choicesPath}${query}`)
      expect(body.data?.map(({ id }) => id)).toEqual([toUrlId(accountA)])
    }
  })

  test('requires a session and rejects unknown fields', async () => {
    expect((await createVisitor(desk.dashboard.url).send(choicesPath)).status).toBe(401)
    expect((await desk.operator.get(`${choicesPath}?nonsense=1`)).status).toBe(422)
  })
})

test('the audit can be filtered by any of many accounts', async () => {
  const page = await fetchPage(await desk.signIn('reviewer'), '/sandbox/audit')
  expect(page).toMatch(/<option value="acct_[0-9a-f-]{36}">Zz far 288<\/option>/)
})

describe('a page with many accounts', () => {
  test.each(pages)('%s contains only the accounts it shows, and is as small as with few accounts', async (path) => {
    const html = await fetchPage(desk.operator, path)
    if (path !== '/sandbox/accounts') expect(html).not.toContain('Zz far')
    expect(html.length).toBeLessThan((fewAccounts.get(path)?.length ?? 0) * 1.1)
  })

  test('contains the names of its rows’ accounts and of the selected account', async () => {
    const { body } = await desk.operator.get<AccountChoice[]>(choicesPath)
    const names = (body.data ?? []).filter(({ name }) => !name.startsWith('Zz far')).map(({ name }) => name)
    const findNames = (html: string) => names.filter((name) => html.includes(`>${name.replaceAll('&', '&amp;')}<`))
    const path = '/sandbox/payouts?tab=all'
    expect(findNames(await fetchPage(desk.operator, path))).toEqual(findNames(fewAccounts.get(path) ?? ''))
    expect(findNames(fewAccounts.get(path) ?? '')).not.toEqual([])
    const chosenAccount = body.data?.find(({ name }) => name === 'Zz far 77')
    expect(await fetchPage(desk.operator, `${path}&account=${chosenAccount?.id}`)).toContain('>Zz far 77<')
  })

  test('contains all accounts if one has to be chosen without a script', async () => {
    expect(await fetchPage(desk.operator, '/sandbox/payouts/new')).toContain('>Zz far 1999<')
    const [denied, own] = await Promise.all([
      fetchPage(limitedPerson, `/sandbox/payouts?account=${toUrlId(accountB)}`),
      fetchPage(limitedPerson, '/sandbox/payouts'),
    ])
    for (const html of [denied, own]) {
      expect(html).toContain(`account=${toUrlId(accountA)}`)
      expect(html).not.toContain('Zz far')
    }
  })
})
