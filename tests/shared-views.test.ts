import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SavedView } from '@/lib/operations/saved-view'
import { activeAccounts, addLimited, audited } from './harness/objects'
import { type Person, type Reply, signIn } from './harness/person'
import { sharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let desk: WholeDesk
let admin: Person
let operator: Person
/** People with some accounts: account A, account B, both accounts, and an admin of account A. */
let ofA: Person
let ofB: Person
let ofBoth: Person
let adminOfA: Person
let a: string
let b: string

beforeAll(async () => {
  desk = await sharedDesk()
  operator = desk.operator
  admin = await signIn(desk.dashboard.url, 'admin')
  ;[a = '', b = ''] = await activeAccounts(operator)
  const add = async (email: `${string}@${string}`, role: string, account: string) => {
    await addLimited(desk.db, email, role, account)
    return signIn(desk.dashboard.url, email)
  }
  ofA = await add('of-a@paydesk.test', 'operator', a)
  ofB = await add('of-b@paydesk.test', 'operator', b)
  adminOfA = await add('admin-of-a@paydesk.test', 'admin', a)
  await addLimited(desk.db, 'of-both@paydesk.test', 'operator', a)
  await grant('of-both@paydesk.test', b)
  ofBoth = await signIn(desk.dashboard.url, 'of-both@paydesk.test')
})
afterAll(() => desk?.stop())

const grant = (email: string, account: string | null) =>
  desk.db.query(
    `insert into grants (person_id, role, environment, account_id) select id, 'operator', 'sandbox', $2::uuid from people where email = $1`,
    [email, account],
  )

const views = '/api/sandbox/desk/views'
const json = (body: unknown): RequestInit => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const add = (person: Person, body: Record<string, unknown>): Promise<Reply<SavedView>> =>
  person.ask<SavedView>('POST', views, json({ list: 'payments', search: '', shared: true, ...body }))
const change = (person: Person, id: string | undefined, body: Record<string, unknown>) =>
  person.ask<SavedView>('PUT', `${views}/${id}`, json(body))
const seenBy = async (person: Person) => (await person.get<SavedView[]>(`${views}?list=payments`)).body.data ?? []
const names = async (person: Person) => (await seenBy(person)).map((view) => view.name)
const sees = async (person: Person, name: string) => (await names(person)).includes(name)
const acct = (id: string) => `acct_${id}`

describe('a shared view', () => {
  test('of a person with a platform role is visible only to such people, with its name and filters', async () => {
    const { body } = await add(operator, { name: 'Canary Harbor GmbH', search: 'search_text=canary%40harbor.example' })
    expect(body.data).toMatchObject({ shared: true, accounts: null })
    expect(await sees(admin, 'Canary Harbor GmbH')).toBe(true)
    for (const person of [ofA, ofB, ofBoth, adminOfA]) expect(JSON.stringify(await seenBy(person))).not.toMatch(/canary/i)
    for (const page of [`/sandbox/payments?account=${acct(a)}`, `/sandbox/payments?account=${acct(a)}&search_text=x`]) {
      expect(await (await ofA.send(page)).text()).not.toMatch(/canary/i)
    }
  })

  test('that was shared for an account is visible to people of that account only', async () => {
    const { body } = await add(operator, { name: 'Returns of A', accounts: [acct(a)] })
    expect(body.data).toMatchObject({ shared: true, accounts: [acct(a)] })
    for (const person of [admin, ofA, ofBoth, adminOfA]) expect(await sees(person, 'Returns of A')).toBe(true)
    expect(await sees(ofB, 'Returns of A')).toBe(false)
  })

  test('of a person with some accounts is visible to people who see all of them', async () => {
    await add(ofA, { name: 'Made in A' })
    await add(ofBoth, { name: 'Made in both' })
    await add(ofBoth, { name: 'Both, for B', accounts: [acct(b)] })
    expect(await names(ofA)).toEqual(expect.arrayContaining(['Made in A']))
    expect(await sees(ofA, 'Made in both')).toBe(false)
    expect(await sees(ofB, 'Made in both')).toBe(false)
    expect(await sees(ofB, 'Both, for B')).toBe(true)
    expect(await sees(ofB, 'Made in A')).toBe(false)
    expect(await sees(ofBoth, 'Made in A')).toBe(true)
    expect(await names(admin)).toEqual(expect.arrayContaining(['Made in A', 'Made in both', 'Both, for B']))
  })

  test('does not exist for a person who does not see it', async () => {
    const { body } = await add(operator, { name: 'Not for A' })
    const id = body.data?.id
    for (const person of [ofA, adminOfA]) {
      expect((await change(person, id, { name: 'Taken' })).status).toBe(404)
      expect((await person.ask('DELETE', `${views}/${id}`)).status).toBe(404)
    }
  })

  test('can be shared only for own and valid accounts', async () => {
    expect(await add(ofA, { name: 'For B', accounts: [acct(b)] })).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
    for (const accounts of [[], ['B'], 'B', [acct(a), acct(a)]]) {
      expect(await add(operator, { name: 'Nobody', accounts })).toMatchObject({ status: 422 })
    }
    const unshared = await add(operator, { name: 'Quiet', shared: false, accounts: [acct(a)] })
    expect(unshared).toMatchObject({ status: 422, body: { error: { items: [{ reference: 'accounts' }] } } })
  })

  test('can be changed by an admin of its accounts, but not by one with fewer accounts', async () => {
    const viewReply = await add(operator, { name: 'For A and B', accounts: [acct(a), acct(b)] })
    await grant('admin-of-a@paydesk.test', b)
    const wide = await signIn(desk.dashboard.url, 'admin-of-a@paydesk.test')
    expect(await sees(wide, 'For A and B')).toBe(true)
    expect((await change(wide, viewReply.body.data?.id, { name: 'Mine now' })).status).toBe(403)
    const narrow = await add(operator, { name: 'For A alone', accounts: [acct(a)] })
    expect((await change(wide, narrow.body.data?.id, { name: 'For A, renamed', accounts: [acct(a)] })).status).toBe(200)
    await desk.db.query(
      `delete from grants where account_id = $1::uuid and person_id = (select id from people where email = 'admin-of-a@paydesk.test')`,
      [b],
    )
  })

  test('changed by a person who sees more is limited to people who see as much, unless accounts are given', async () => {
    const { body } = await add(ofA, { name: 'From A' })
    const id = body.data?.id
    expect((await change(admin, id, { name: 'From A, as B has it' })).body.data).toMatchObject({ accounts: null })
    expect(await sees(ofB, 'From A, as B has it')).toBe(false)
    expect((await change(admin, id, { name: 'From A again', accounts: [acct(a)] })).body.data).toMatchObject({ accounts: [acct(a)] })
    expect(await sees(adminOfA, 'From A again')).toBe(true)
    expect(await sees(ofA, 'From A again')).toBe(true)
  })

  test('follows the grants of the reader at once', async () => {
    await addLimited(desk.db, 'moves@paydesk.test', 'operator', b)
    await add(ofA, { name: 'Only with A' })
    const before = await signIn(desk.dashboard.url, 'moves@paydesk.test')
    expect(await sees(before, 'Only with A')).toBe(false)
    await grant('moves@paydesk.test', a)
    expect(await sees(await signIn(desk.dashboard.url, 'moves@paydesk.test'), 'Only with A')).toBe(true)
    await grant('moves@paydesk.test', null)
    expect(await names(await signIn(desk.dashboard.url, 'moves@paydesk.test'))).toContain('Canary Harbor GmbH')
  })
})

describe('the audit log', () => {
  test('records who created, shared, renamed and removed a view, and none of its text', async () => {
    const { body } = await add(operator, { name: 'Canary one', search: 'search_text=canary', shared: false })
    const id = body.data?.id
    await change(operator, id, { shared: true, accounts: [acct(a)] })
    await change(admin, id, { name: 'Canary two', accounts: [acct(a)] })
    await change(operator, id, { search: 'search_text=canary2', shared: false })
    expect((await operator.ask('DELETE', `${views}/${id}`)).status).toBe(200)
    const rows = (await Promise.all(['create', 'update', 'delete'].map((verb) => audited(desk.db, `views.${verb}.applied`)))).flat()
    const viewRows = rows.filter((row) => row.target === `views/${id}`)
    const who = { actor: expect.any(String), session: expect.any(String), address: expect.any(String), environment: 'sandbox' }
    const words = { subject: expect.stringMatching(/^[0-9a-f]{64}$/) }
    expect(viewRows).toMatchObject([
      { code: 'views.create.applied', ...who, ...words, shared: false },
      { code: 'views.update.applied', ...who, ...words, changed: ['accounts', 'shared'], shared: true, accounts: [a] },
      { code: 'views.update.applied', ...who, ...words, changed: ['name'], shared: true, accounts: [a] },
      { code: 'views.update.applied', ...who, ...words, changed: ['accounts', 'search', 'shared'], shared: false },
      { code: 'views.delete.applied', ...who },
    ])
    expect(new Set(viewRows.map((row) => row.actor)).size).toBe(2)
    expect(new Set(viewRows.slice(0, 4).map((row) => row.subject)).size).toBe(3)
    expect(JSON.stringify(rows)).not.toMatch(/canary|returns|harbor/i)
  })

  test('records no change if nothing changed', async () => {
    const { body } = await add(operator, { name: 'Same', accounts: [acct(a)] })
    const before = (await audited(desk.db, 'views.update.applied')).length
    expect((await change(operator, body.data?.id, { name: 'Same', shared: true, accounts: [acct(a)] })).status).toBe(200)
    expect((await audited(desk.db, 'views.update.applied')).length).toBe(before)
  })
})
