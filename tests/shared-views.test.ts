import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SavedView } from '@/lib/operations/saved-view'
import { addLimitedPerson, listActiveAccounts, readAuditRows } from './harness/objects'
import { type Person, type Reply, signIn } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let desk: WholeDesk
let admin: Person
let operator: Person
/** People with some accounts: account A, account B, both accounts, and an admin of account A. */
let personOfA: Person
let personOfB: Person
let personOfBoth: Person
let adminOfA: Person
let accountA: string
let accountB: string

beforeAll(async () => {
  desk = await openSharedDesk()
  operator = desk.operator
  admin = await signIn(desk.dashboard.url, 'admin')
  ;[accountA = '', accountB = ''] = await listActiveAccounts(operator)
  const addPerson = async (email: `${string}@${string}`, role: string, account: string) => {
    await addLimitedPerson(desk.db, email, role, account)
    return signIn(desk.dashboard.url, email)
  }
  personOfA = await addPerson('of-a@paydesk.test', 'operator', accountA)
  personOfB = await addPerson('of-b@paydesk.test', 'operator', accountB)
  adminOfA = await addPerson('admin-of-a@paydesk.test', 'admin', accountA)
  await addLimitedPerson(desk.db, 'of-both@paydesk.test', 'operator', accountA)
  await grant('of-both@paydesk.test', accountB)
  personOfBoth = await signIn(desk.dashboard.url, 'of-both@paydesk.test')
})
afterAll(() => desk?.stop())

const grant = (email: string, account: string | null) =>
  desk.db.query(
    `insert into grants (person_id, role, environment, account_id) select id, 'operator', 'sandbox', $2::uuid from people where email = $1`,
    [email, account],
  )

const viewsPath = '/api/sandbox/desk/views'
const toJsonInit = (body: unknown): RequestInit => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const addView = (person: Person, body: Record<string, unknown>): Promise<Reply<SavedView>> =>
  person.ask<SavedView>('POST', viewsPath, toJsonInit({ list: 'payments', search: '', shared: true, ...body }))
const changeView = (person: Person, id: string | undefined, body: Record<string, unknown>) =>
  person.ask<SavedView>('PUT', `${viewsPath}/${id}`, toJsonInit(body))
const fetchViews = async (person: Person) => (await person.get<SavedView[]>(`${viewsPath}?list=payments`)).body.data ?? []
const fetchViewNames = async (person: Person) => (await fetchViews(person)).map((view) => view.name)
const canSeeView = async (person: Person, name: string) => (await fetchViewNames(person)).includes(name)
const toUrlId = (id: string) => `acct_${id}`

describe('a shared view', () => {
  test('of a person with a platform role is visible only to such people, with its name and filters', async () => {
    const { body } = await addView(operator, { name: 'Canary Harbor GmbH', search: 'search_text=canary%40harbor.example' })
    expect(body.data).toMatchObject({ shared: true, accounts: null })
    expect(await canSeeView(admin, 'Canary Harbor GmbH')).toBe(true)
    for (const person of [personOfA, personOfB, personOfBoth, adminOfA])
      expect(JSON.stringify(await fetchViews(person))).not.toMatch(/canary/i)
    for (const page of [`/sandbox/payments?account=${toUrlId(accountA)}`, `/sandbox/payments?account=${toUrlId(accountA)}&search_text=x`]) {
      expect(await (await personOfA.send(page)).text()).not.toMatch(/canary/i)
    }
  })

  test('that was shared for an account is visible to people of that account only', async () => {
    const { body } = await addView(operator, { name: 'Returns of A', accounts: [toUrlId(accountA)] })
    expect(body.data).toMatchObject({ shared: true, accounts: [toUrlId(accountA)] })
    for (const person of [admin, personOfA, personOfBoth, adminOfA]) expect(await canSeeView(person, 'Returns of A')).toBe(true)
    expect(await canSeeView(personOfB, 'Returns of A')).toBe(false)
  })

  test('of a person with some accounts is visible to people who see all of them', async () => {
    await addView(personOfA, { name: 'Made in A' })
    await addView(personOfBoth, { name: 'Made in both' })
    await addView(personOfBoth, { name: 'Both, for B', accounts: [toUrlId(accountB)] })
    expect(await fetchViewNames(personOfA)).toEqual(expect.arrayContaining(['Made in A']))
    expect(await canSeeView(personOfA, 'Made in both')).toBe(false)
    expect(await canSeeView(personOfB, 'Made in both')).toBe(false)
    expect(await canSeeView(personOfB, 'Both, for B')).toBe(true)
    expect(await canSeeView(personOfB, 'Made in A')).toBe(false)
    expect(await canSeeView(personOfBoth, 'Made in A')).toBe(true)
    expect(await fetchViewNames(admin)).toEqual(expect.arrayContaining(['Made in A', 'Made in both', 'Both, for B']))
  })

  test('does not exist for a person who does not see it', async () => {
    const { body } = await addView(operator, { name: 'Not for A' })
    const id = body.data?.id
    for (const person of [personOfA, adminOfA]) {
      expect((await changeView(person, id, { name: 'Taken' })).status).toBe(404)
      expect((await person.ask('DELETE', `${viewsPath}/${id}`)).status).toBe(404)
    }
  })

  test('can be shared only for own and valid accounts', async () => {
    expect(await addView(personOfA, { name: 'For B', accounts: [toUrlId(accountB)] })).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    })
    for (const accounts of [[], ['B'], 'B', [toUrlId(accountA), toUrlId(accountA)]]) {
      expect(await addView(operator, { name: 'Nobody', accounts })).toMatchObject({ status: 422 })
    }
    const unsharedReply = await addView(operator, { name: 'Quiet', shared: false, accounts: [toUrlId(accountA)] })
    expect(unsharedReply).toMatchObject({ status: 422, body: { error: { items: [{ reference: 'accounts' }] } } })
  })

  test('can be changed by an admin of its accounts, but not by one with fewer accounts', async () => {
    const viewReply = await addView(operator, { name: 'For A and B', accounts: [toUrlId(accountA), toUrlId(accountB)] })
    await grant('admin-of-a@paydesk.test', accountB)
    const platformPerson = await signIn(desk.dashboard.url, 'admin-of-a@paydesk.test')
    expect(await canSeeView(platformPerson, 'For A and B')).toBe(true)
    expect((await changeView(platformPerson, viewReply.body.data?.id, { name: 'Mine now' })).status).toBe(403)
    const accountViewReply = await addView(operator, { name: 'For A alone', accounts: [toUrlId(accountA)] })
    expect(
      (await changeView(platformPerson, accountViewReply.body.data?.id, { name: 'For A, renamed', accounts: [toUrlId(accountA)] })).status,
    ).toBe(200)
    await desk.db.query(
      `delete from grants where account_id = $1::uuid and person_id = (select id from people where email = 'admin-of-a@paydesk.test')`,
      [accountB],
    )
  })

  test('changed by a person who sees more is limited to people who see as much, unless accounts are given', async () => {
    const { body } = await addView(personOfA, { name: 'From A' })
    const id = body.data?.id
    expect((await changeView(admin, id, { name: 'From A, as B has it' })).body.data).toMatchObject({ accounts: null })
    expect(await canSeeView(personOfB, 'From A, as B has it')).toBe(false)
    expect((await changeView(admin, id, { name: 'From A again', accounts: [toUrlId(accountA)] })).body.data).toMatchObject({
      accounts: [toUrlId(accountA)],
    })
    expect(await canSeeView(adminOfA, 'From A again')).toBe(true)
    expect(await canSeeView(personOfA, 'From A again')).toBe(true)
  })

  test('follows the grants of the reader at once', async () => {
    await addLimitedPerson(desk.db, 'moves@paydesk.test', 'operator', accountB)
    await addView(personOfA, { name: 'Only with A' })
    const earlierSession = await signIn(desk.dashboard.url, 'moves@paydesk.test')
    expect(await canSeeView(earlierSession, 'Only with A')).toBe(false)
    await grant('moves@paydesk.test', accountA)
    expect(await canSeeView(await signIn(desk.dashboard.url, 'moves@paydesk.test'), 'Only with A')).toBe(true)
    await grant('moves@paydesk.test', null)
    expect(await fetchViewNames(await signIn(desk.dashboard.url, 'moves@paydesk.test'))).toContain('Canary Harbor GmbH')
  })
})

describe('the audit log', () => {
  test('records who created, shared, renamed and removed a view, and none of its text', async () => {
    const { body } = await addView(operator, { name: 'Canary one', search: 'search_text=canary', shared: false })
    const id = body.data?.id
    await changeView(operator, id, { shared: true, accounts: [toUrlId(accountA)] })
    await changeView(admin, id, { name: 'Canary two', accounts: [toUrlId(accountA)] })
    await changeView(operator, id, { search: 'search_text=canary2', shared: false })
    expect((await operator.ask('DELETE', `${viewsPath}/${id}`)).status).toBe(200)
    const rows = (await Promise.all(['create', 'update', 'delete'].map((verb) => readAuditRows(desk.db, `views.${verb}.applied`)))).flat()
    const viewRows = rows.filter((row) => row.target === `views/${id}`)
    const expectedActor = { actor: expect.any(String), session: expect.any(String), address: expect.any(String), environment: 'sandbox' }
    const words = { subject: expect.stringMatching(/^[0-9a-f]{64}$/) }
    expect(viewRows).toMatchObject([
      { code: 'views.create.applied', ...expectedActor, ...words, shared: false },
      { code: 'views.update.applied', ...expectedActor, ...words, changed: ['accounts', 'shared'], shared: true, accounts: [accountA] },
      { code: 'views.update.applied', ...expectedActor, ...words, changed: ['name'], shared: true, accounts: [accountA] },
      { code: 'views.update.applied', ...expectedActor, ...words, changed: ['accounts', 'search', 'shared'], shared: false },
      { code: 'views.delete.applied', ...expectedActor },
    ])
    expect(new Set(viewRows.map((row) => row.actor)).size).toBe(2)
    expect(new Set(viewRows.slice(0, 4).map((row) => row.subject)).size).toBe(3)
    expect(JSON.stringify(rows)).not.toMatch(/canary|returns|harbor/i)
  })

  test('records no change if nothing changed', async () => {
    const { body } = await addView(operator, { name: 'Same', accounts: [toUrlId(accountA)] })
    const updateCountBefore = (await readAuditRows(desk.db, 'views.update.applied')).length
    expect((await changeView(operator, body.data?.id, { name: 'Same', shared: true, accounts: [toUrlId(accountA)] })).status).toBe(200)
    expect((await readAuditRows(desk.db, 'views.update.applied')).length).toBe(updateCountBefore)
  })
})
