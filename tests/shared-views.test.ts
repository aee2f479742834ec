import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SavedView } from '@/lib/operations/saved-view'
import { addLimitedPerson, listActiveAccounts, readAuditRows } from './harness/objects'
import { type Person, type Reply, signIn } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let admin: Person
let operator: Person
/**
 * People who can see only some accounts: operators of account A, of account B and of both, and an
 * admin of account A.
 */
let personOfAccountA: Person
let personOfAccountB: Person
let personOfBothAccounts: Person
let adminOfAccountA: Person
let accountA: string
let accountB: string

beforeAll(async () => {
  testStack = await openSharedDesk()
  operator = testStack.operator
  admin = await signIn(testStack.dashboard.url, 'admin')
  ;[accountA = '', accountB = ''] = await listActiveAccounts(operator)
  const addPerson = async (email: `${string}@${string}`, role: string, account: string) => {
    await addLimitedPerson(testStack.db, email, role, account)
    return signIn(testStack.dashboard.url, email)
  }
  personOfAccountA = await addPerson('of-a@paydesk.test', 'operator', accountA)
  personOfAccountB = await addPerson('of-b@paydesk.test', 'operator', accountB)
  adminOfAccountA = await addPerson('admin-of-a@paydesk.test', 'admin', accountA)
  await addLimitedPerson(testStack.db, 'of-both@paydesk.test', 'operator', accountA)
  await grantOperatorRole('of-both@paydesk.test', accountB)
  personOfBothAccounts = await signIn(testStack.dashboard.url, 'of-both@paydesk.test')
})
afterAll(() => testStack?.stop())

const grantOperatorRole = (email: string, account: string | null) =>
  testStack.db.query(
    `insert into grants (person_id, role, environment, account_id) select id, 'operator', 'sandbox', $2::uuid from people where email = $1`,
    [email, account],
  )

const viewsPath = '/api/sandbox/desk/views'
const toJsonInit = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const addView = (person: Person, body: Record<string, unknown>): Promise<Reply<SavedView>> =>
  person.ask<SavedView>(
    'POST',
    viewsPath,
    toJsonInit({ list: 'payments', search: '', shared: true, ...body }),
  )
const changeView = (person: Person, id: string | undefined, body: Record<string, unknown>) =>
  person.ask<SavedView>('PUT', `${viewsPath}/${id}`, toJsonInit(body))
const fetchViews = async (person: Person) =>
  (await person.get<SavedView[]>(`${viewsPath}?list=payments`)).body.data ?? []
const fetchViewNames = async (person: Person) => (await fetchViews(person)).map((view) => view.name)
const canSeeView = async (person: Person, name: string) =>
  (await fetchViewNames(person)).includes(name)
const toAccountParam = (id: string) => `acct_${id}`

describe('a shared view', () => {
  test('of a person with a platform role is visible only to such people, with its name and filters', async () => {
    const { body } = await addView(operator, {
      name: 'Canary Harbor GmbH',
      search: 'search_text=canary%40harbor.example',
    })
    expect(body.data).toMatchObject({ shared: true, accounts: null })
    expect(await canSeeView(admin, 'Canary Harbor GmbH')).toBe(true)
    for (const person of [
      personOfAccountA,
      personOfAccountB,
      personOfBothAccounts,
      adminOfAccountA,
    ])
      expect(JSON.stringify(await fetchViews(person))).not.toMatch(/canary/i)
    for (const page of [
      `/sandbox/payments?account=${toAccountParam(accountA)}`,
      `/sandbox/payments?account=${toAccountParam(accountA)}&search_text=x`,
    ]) {
      expect(await (await personOfAccountA.send(page)).text()).not.toMatch(/canary/i)
    }
  })

  test('that was shared for an account is visible to people of that account only', async () => {
    const { body } = await addView(operator, {
      name: 'Returns of A',
      accounts: [toAccountParam(accountA)],
    })
    expect(body.data).toMatchObject({ shared: true, accounts: [toAccountParam(accountA)] })
    for (const person of [admin, personOfAccountA, personOfBothAccounts, adminOfAccountA])
      expect(await canSeeView(person, 'Returns of A')).toBe(true)
    expect(await canSeeView(personOfAccountB, 'Returns of A')).toBe(false)
  })

  test('of a person with some accounts is visible to people who see all of them', async () => {
    await addView(personOfAccountA, { name: 'Made in A' })
    await addView(personOfBothAccounts, { name: 'Made in both' })
    await addView(personOfBothAccounts, {
      name: 'Both, for B',
      accounts: [toAccountParam(accountB)],
    })
    expect(await fetchViewNames(personOfAccountA)).toEqual(expect.arrayContaining(['Made in A']))
    expect(await canSeeView(personOfAccountA, 'Made in both')).toBe(false)
    expect(await canSeeView(personOfAccountB, 'Made in both')).toBe(false)
    expect(await canSeeView(personOfAccountB, 'Both, for B')).toBe(true)
    expect(await canSeeView(personOfAccountB, 'Made in A')).toBe(false)
    expect(await canSeeView(personOfBothAccounts, 'Made in A')).toBe(true)
    expect(await fetchViewNames(admin)).toEqual(
      expect.arrayContaining(['Made in A', 'Made in both', 'Both, for B']),
    )
  })

  test('does not exist for a person who does not see it', async () => {
    const { body } = await addView(operator, { name: 'Not for A' })
    const viewId = body.data?.id
    for (const person of [personOfAccountA, adminOfAccountA]) {
      expect((await changeView(person, viewId, { name: 'Taken' })).status).toBe(404)
      expect((await person.ask('DELETE', `${viewsPath}/${viewId}`)).status).toBe(404)
    }
  })

  test('can be shared only for own and valid accounts', async () => {
    expect(
      await addView(personOfAccountA, { name: 'For B', accounts: [toAccountParam(accountB)] }),
    ).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    })
    for (const accounts of [[], ['B'], 'B', [toAccountParam(accountA), toAccountParam(accountA)]]) {
      expect(await addView(operator, { name: 'Nobody', accounts })).toMatchObject({ status: 422 })
    }
    const unsharedViewReply = await addView(operator, {
      name: 'Quiet',
      shared: false,
      accounts: [toAccountParam(accountA)],
    })
    expect(unsharedViewReply).toMatchObject({
      status: 422,
      body: { error: { items: [{ reference: 'accounts' }] } },
    })
  })

  test('can be changed by an admin of its accounts, but not by one with fewer accounts', async () => {
    const viewReply = await addView(operator, {
      name: 'For A and B',
      accounts: [toAccountParam(accountA), toAccountParam(accountB)],
    })
    await grantOperatorRole('admin-of-a@paydesk.test', accountB)
    const adminOfOneAccount = await signIn(testStack.dashboard.url, 'admin-of-a@paydesk.test')
    expect(await canSeeView(adminOfOneAccount, 'For A and B')).toBe(true)
    expect(
      (await changeView(adminOfOneAccount, viewReply.body.data?.id, { name: 'Mine now' })).status,
    ).toBe(403)
    const accountViewReply = await addView(operator, {
      name: 'For A alone',
      accounts: [toAccountParam(accountA)],
    })
    expect(
      (
        await changeView(adminOfOneAccount, accountViewReply.body.data?.id, {
          name: 'For A, renamed',
          accounts: [toAccountParam(accountA)],
        })
      ).status,
    ).toBe(200)
    await testStack.db.query(
      `delete from grants where account_id = $1::uuid and person_id = (select id from people where email = 'admin-of-a@paydesk.test')`,
      [accountB],
    )
  })

  test('changed by a person who sees more is limited to people who see as much, unless accounts are given', async () => {
    const { body } = await addView(personOfAccountA, { name: 'From A' })
    const id = body.data?.id
    expect((await changeView(admin, id, { name: 'From A, as B has it' })).body.data).toMatchObject({
      accounts: null,
    })
    expect(await canSeeView(personOfAccountB, 'From A, as B has it')).toBe(false)
    expect(
      (await changeView(admin, id, { name: 'From A again', accounts: [toAccountParam(accountA)] }))
        .body.data,
    ).toMatchObject({
      accounts: [toAccountParam(accountA)],
    })
    expect(await canSeeView(adminOfAccountA, 'From A again')).toBe(true)
    expect(await canSeeView(personOfAccountA, 'From A again')).toBe(true)
  })

  test('follows the grants of the reader at once', async () => {
    await addLimitedPerson(testStack.db, 'moves@paydesk.test', 'operator', accountB)
    await addView(personOfAccountA, { name: 'Only with A' })
    const earlierSession = await signIn(testStack.dashboard.url, 'moves@paydesk.test')
    expect(await canSeeView(earlierSession, 'Only with A')).toBe(false)
    await grantOperatorRole('moves@paydesk.test', accountA)
    expect(
      await canSeeView(await signIn(testStack.dashboard.url, 'moves@paydesk.test'), 'Only with A'),
    ).toBe(true)
    await grantOperatorRole('moves@paydesk.test', null)
    expect(
      await fetchViewNames(await signIn(testStack.dashboard.url, 'moves@paydesk.test')),
    ).toContain('Canary Harbor GmbH')
  })
})

describe('the audit log', () => {
  test('records who created, shared, renamed and removed a view, and none of its text', async () => {
    const { body } = await addView(operator, {
      name: 'Canary one',
      search: 'search_text=canary',
      shared: false,
    })
    const id = body.data?.id
    await changeView(operator, id, { shared: true, accounts: [toAccountParam(accountA)] })
    await changeView(admin, id, { name: 'Canary two', accounts: [toAccountParam(accountA)] })
    await changeView(operator, id, { search: 'search_text=canary2', shared: false })
    expect((await operator.ask('DELETE', `${viewsPath}/${id}`)).status).toBe(200)
    const viewAuditRows = (
      await Promise.all(
        ['create', 'update', 'delete'].map((verb) =>
          readAuditRows(testStack.db, `views.${verb}.applied`),
        ),
      )
    ).flat()
    const auditRowsOfView = viewAuditRows.filter((row) => row.target === `views/${id}`)
    const expectedActor = {
      actor: expect.any(String),
      session: expect.any(String),
      address: expect.any(String),
      environment: 'sandbox',
    }
    const expectedSubject = { subject: expect.stringMatching(/^[0-9a-f]{64}$/) }
    expect(auditRowsOfView).toMatchObject([
      { code: 'views.create.applied', ...expectedActor, ...expectedSubject, shared: false },
      {
        code: 'views.update.applied',
        ...expectedActor,
        ...expectedSubject,
        changed: ['accounts', 'shared'],
        shared: true,
        accounts: [accountA],
      },
      {
        code: 'views.update.applied',
        ...expectedActor,
        ...expectedSubject,
        changed: ['name'],
        shared: true,
        accounts: [accountA],
      },
      {
        code: 'views.update.applied',
        ...expectedActor,
        ...expectedSubject,
        changed: ['accounts', 'search', 'shared'],
        shared: false,
      },
      { code: 'views.delete.applied', ...expectedActor },
    ])
    expect(new Set(auditRowsOfView.map((row) => row.actor)).size).toBe(2)
    expect(new Set(auditRowsOfView.slice(0, 4).map((row) => row.subject)).size).toBe(3)
    expect(JSON.stringify(viewAuditRows)).not.toMatch(/canary|returns|harbor/i)
  })

  test('records no change if nothing changed', async () => {
    const { body } = await addView(operator, { name: 'Same', accounts: [toAccountParam(accountA)] })
    const updateCountBefore = (await readAuditRows(testStack.db, 'views.update.applied')).length
    expect(
      (
        await changeView(operator, body.data?.id, {
          name: 'Same',
          shared: true,
          accounts: [toAccountParam(accountA)],
        })
      ).status,
    ).toBe(200)
    expect((await readAuditRows(testStack.db, 'views.update.applied')).length).toBe(
      updateCountBefore,
    )
  })
})
