import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountChoice } from '@/lib/operations/page-context'
import { addLimitedPerson, listActiveAccounts } from './harness/objects'
import { type Person, signIn } from './harness/person'
import { createVisitor } from './harness/sign-in'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let limitedPerson: Person
let accountA: string
let accountB: string

/**
 * Number of accounts that the tests add. They have no payments or customers, so only a list of
 * accounts can contain their names.
 */
const extraAccountCount = 2000

const accountChoicesPath = '/api/sandbox/desk/account-choices'
const toAccountParam = (id: string) => `acct_${id}`
const fetchPageHtml = async (person: Person, path: string) => (await person.send(path)).text()

const pagePaths = [
  '/sandbox/home',
  '/sandbox/payouts?tab=all',
  '/sandbox/customers?tab=all',
  '/sandbox/accounts',
  '/sandbox/activity',
]
const fewAccountsHtmlByPath = new Map<string, string>()

beforeAll(async () => {
  testStack = await startWholeDesk({ mirror: true })
  ;[accountA = '', accountB = ''] = await listActiveAccounts(testStack.operator)
  await addLimitedPerson(testStack.db, 'of-a@paydesk.test', 'operator', accountA)
  limitedPerson = await signIn(testStack.dashboard.url, 'of-a@paydesk.test')
  for (const path of pagePaths)
    fewAccountsHtmlByPath.set(path, await fetchPageHtml(testStack.operator, path))
  await testStack.db.query(
    `insert into mirror_accounts (environment, id, object, seen_at, seen_by, status, name, search)
       select 'sandbox', gen_random_uuid(), jsonb_build_object('business_profile', jsonb_build_object('name', 'Zz far ' || n)), now(), 'read',
         'active', 'zz far ' || n, '' from generate_series(1, ${extraAccountCount}) n`,
  )
})
afterAll(() => testStack?.stop())

describe('the list of accounts', () => {
  test('contains all accounts of the environment for a person who sees all', async () => {
    const { status, body } = await testStack.operator.get<AccountChoice[]>(accountChoicesPath)
    expect(status).toBe(200)
    const accountChoices = body.data ?? []
    expect(accountChoices.filter(({ name }) => name.startsWith('Zz far'))).toHaveLength(
      extraAccountCount,
    )
    expect(accountChoices.map(({ id }) => id)).toEqual(
      expect.arrayContaining([toAccountParam(accountA), toAccountParam(accountB)]),
    )
    expect(
      accountChoices.every((each) => Object.keys(each).sort().join() === 'id,name,status'),
    ).toBe(true)
  })

  test('contains only their own accounts for a limited person, whatever account is requested', async () => {
    for (const query of ['', `?account=${toAccountParam(accountB)}`]) {
      const { body } = await limitedPerson.get<AccountChoice[]>(`${accountChoicesPath}${query}`)
      expect(body.data?.map(({ id }) => id)).toEqual([toAccountParam(accountA)])
    }
  })

  test('requires a session and rejects unknown fields', async () => {
    expect((await createVisitor(testStack.dashboard.url).send(accountChoicesPath)).status).toBe(401)
    expect((await testStack.operator.get(`${accountChoicesPath}?nonsense=1`)).status).toBe(422)
  })
})

test('the audit can be filtered by any of many accounts', async () => {
  const auditPageHtml = await fetchPageHtml(await testStack.signIn('reviewer'), '/sandbox/audit')
  expect(auditPageHtml).toMatch(/<option value="acct_[0-9a-f-]{36}">Zz far 288<\/option>/)
})

describe('a page with many accounts', () => {
  test.each(pagePaths)(
    '%s contains only the accounts it shows, and is as small as with few accounts',
    async (path) => {
      const html = await fetchPageHtml(testStack.operator, path)
      if (path !== '/sandbox/accounts') expect(html).not.toContain('Zz far')
      expect(html.length).toBeLessThan((fewAccountsHtmlByPath.get(path)?.length ?? 0) * 1.1)
    },
  )

  test('contains the names of its rows’ accounts and of the selected account', async () => {
    const { body } = await testStack.operator.get<AccountChoice[]>(accountChoicesPath)
    const accountNames = (body.data ?? [])
      .filter(({ name }) => !name.startsWith('Zz far'))
      .map(({ name }) => name)
    const findAccountNames = (html: string) =>
      accountNames.filter((name) => html.includes(`>${name.replaceAll('&', '&amp;')}<`))
    const payoutsPath = '/sandbox/payouts?tab=all'
    expect(findAccountNames(await fetchPageHtml(testStack.operator, payoutsPath))).toEqual(
      findAccountNames(fewAccountsHtmlByPath.get(payoutsPath) ?? ''),
    )
    expect(findAccountNames(fewAccountsHtmlByPath.get(payoutsPath) ?? '')).not.toEqual([])
    const chosenAccount = body.data?.find(({ name }) => name === 'Zz far 77')
    expect(
      await fetchPageHtml(testStack.operator, `${payoutsPath}&account=${chosenAccount?.id}`),
    ).toContain('>Zz far 77<')
  })

  test('contains all accounts if one has to be chosen without a script', async () => {
    expect(await fetchPageHtml(testStack.operator, '/sandbox/payouts/new')).toContain(
      '>Zz far 1999<',
    )
    const [deniedHtml, ownHtml] = await Promise.all([
      fetchPageHtml(limitedPerson, `/sandbox/payouts?account=${toAccountParam(accountB)}`),
      fetchPageHtml(limitedPerson, '/sandbox/payouts'),
    ])
    for (const html of [deniedHtml, ownHtml]) {
      expect(html).toContain(`account=${toAccountParam(accountA)}`)
      expect(html).not.toContain('Zz far')
    }
  })
})
