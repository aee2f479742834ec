import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NoteView } from '@/lib/operations/notes'
import { addNote, listNotes, purgeNotes } from '@/lib/server/notes/notes'
import { people } from '@/lib/server/store/schema/people'
import { getDatabase } from '@/lib/server/store/store'
import { runNode } from './harness/command'
import { testEncryptionKey } from './harness/dashboard'
import { openTestStore } from './harness/own-store'
import type { Person } from './harness/person'
import type { MadePayout } from './harness/sandbox'
import { type IsolatedDesk, startWholeDesk } from './harness/whole-desk'

const noteText = 'Amara called back: the contract of 3 March covers it'

describe('a note over HTTP', () => {
  let testStack: IsolatedDesk
  let payout: MadePayout
  let notesPath: string
  let viewer: Person
  let reviewer: Person
  let admin: Person

  beforeAll(async () => {
    testStack = await startWholeDesk({ mirror: true })
    payout = await testStack.sandbox.makePayout()
    await testStack.mirrored([payout.id])
    notesPath = `/api/sandbox/desk/notes/payouts/${payout.id}`
    viewer = await testStack.signIn('viewer')
    reviewer = await testStack.signIn('reviewer')
    admin = await testStack.signIn('admin')
  })
  afterAll(() => testStack?.stop())

  const toJsonInit = (body: unknown) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const writeNote = (person: Person, noteId: string = randomUUID(), text = noteText) =>
    person.post<NoteView[]>(notesPath, toJsonInit({ note: noteId, text }))
  const readNotes = async (person: Person) =>
    (await person.get<NoteView[]>(notesPath)).body.data ?? []
  const withdrawNote = (person: Person, noteId: string) =>
    person.ask('DELETE', `${notesPath}/${noteId}`, toJsonInit({}))

  test('is written once, however often it is sent, and read by everyone in the account', async () => {
    const newNoteId = randomUUID()
    expect((await writeNote(testStack.operator, newNoteId)).status).toBe(201)
    expect((await writeNote(testStack.operator, newNoteId)).status).toBe(201)
    const notes = await readNotes(viewer)
    expect(notes.map(({ id: own, text, may_withdraw }) => ({ own, text, may_withdraw }))).toEqual([
      { own: newNoteId, text: noteText, may_withdraw: false },
    ])
    expect((await writeNote(viewer)).status).toBe(403)
  })

  test('is rejected for an unknown account', async () => {
    const unknownTargetPath = `/api/sandbox/desk/notes/accounts/${randomUUID()}`
    expect(
      (
        await testStack.operator.post(
          unknownTargetPath,
          toJsonInit({ note: randomUUID(), text: noteText }),
        )
      ).status,
    ).toBe(404)
    const accountNotesPath = `/api/sandbox/desk/notes/accounts/${payout.account.replace('acct_', '')}`
    expect(
      (
        await testStack.operator.post(
          accountNotesPath,
          toJsonInit({ note: randomUUID(), text: 'an account that is there' }),
        )
      ).status,
    ).toBe(201)
  })

  test('does not exist for a record that is unknown or hidden', async () => {
    for (const target of [`payouts/${randomUUID()}`, `payments/${payout.id}`]) {
      expect([404, 422]).toContain(
        (await testStack.operator.get(`/api/sandbox/desk/notes/${target}`)).status,
      )
    }
    const { rows } = await testStack.db.query(`select id from people where email like 'viewer@%'`)
    const insertGrantSql = `insert into grants (id, person_id, role, environment, account_id) values ($1, $2, 'viewer', 'sandbox', $3)`
    await testStack.db.query(
      `update grants set expires_at = now() - interval '1 minute' where person_id = $1`,
      [rows[0].id],
    )
    await testStack.db.query(insertGrantSql, [randomUUID(), rows[0].id, randomUUID()])
    const otherAccountPerson = await testStack.signIn('viewer')
    expect((await otherAccountPerson.get(notesPath)).status).toBe(404)
    await testStack.db.query(`update grants set expires_at = null where person_id = $1`, [
      rows[0].id,
    ])
  })

  test('does not have its text in plain form in the store, the audit or the log', async () => {
    const storedRowsText = JSON.stringify([
      (await testStack.db.query('select * from notes')).rows,
      (await testStack.db.query('select * from audit')).rows,
    ])
    expect(storedRowsText).toContain('notes.create.applied')
    for (const text of [
      storedRowsText,
      Buffer.from(noteText).toString('hex'),
      testStack.dashboard.log(),
    ])
      expect(text).not.toContain('contract of 3 March')
    expect(storedRowsText).not.toContain(Buffer.from(noteText).toString('hex'))
  })

  test('can be withdrawn by its author for 15 minutes, by an admin at any time, and by no other person', async () => {
    const withdrawnNoteId = randomUUID()
    await writeNote(testStack.operator, withdrawnNoteId)
    expect((await withdrawNote(reviewer, withdrawnNoteId)).status).toBe(403)
    expect((await withdrawNote(testStack.operator, withdrawnNoteId)).status).toBe(200)
    const lateNoteId = randomUUID()
    await writeNote(testStack.operator, lateNoteId)
    await testStack.db.query(
      `update notes set created_at = now() - interval '16 minutes' where id = $1`,
      [lateNoteId],
    )
    expect((await withdrawNote(testStack.operator, lateNoteId)).status).toBe(403)
    expect((await withdrawNote(admin, lateNoteId)).status).toBe(200)
    const withdrawnNotes = (await readNotes(viewer)).filter(({ id: each }) =>
      [withdrawnNoteId, lateNoteId].some((own) => own === each),
    )
    expect(withdrawnNotes.map(({ text, withdrawn }) => [text, withdrawn !== null])).toEqual([
      [null, true],
      [null, true],
    ])
    const { rows } = await testStack.db.query(
      'select count(*)::int as left from notes where id = any($1) and text is not null',
      [[withdrawnNoteId, lateNoteId]],
    )
    expect(rows).toEqual([{ left: 0 }])
  })

  test('the evidence of a release is verified by Node alone, and fails after a change', async () => {
    expect((await testStack.operator.decide('release', payout)).status).toBe(200)
    const evidencePath = `/api/sandbox/desk/evidence/payouts/${payout.id}`
    expect((await viewer.send(evidencePath)).status).toBe(403)
    const evidenceResponse = await testStack.operator.send(evidencePath)
    expect([evidenceResponse.status, evidenceResponse.headers.get('content-type')]).toEqual([
      200,
      'application/zip',
    ])
    const zipPath = path.join(testStack.dashboard.dataDir, 'evidence.zip')
    const evidenceBytes = Buffer.from(await evidenceResponse.arrayBuffer())
    fs.writeFileSync(zipPath, evidenceBytes)
    const verifyEvidenceFile = () => runNode(['public/verify-paydesk.mjs', zipPath])
    expect(await verifyEvidenceFile()).toMatchObject({
      code: 0,
      text: expect.stringMatching(
        /^holds: paydesk-evidence-1, .* rows of the audit, each as it was written/,
      ),
    })
    const fileOffset = evidenceBytes.indexOf('decisions/') + 80
    evidenceBytes[fileOffset] = (evidenceBytes[fileOffset] ?? 0) ^ 1
    fs.writeFileSync(zipPath, evidenceBytes)
    expect(await verifyEvidenceFile()).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^BROKEN: decisions\//),
    })
  })

  test('notes are readable after a key rotation, and the old key can be removed', async () => {
    const listNoteKeyIds = async () =>
      (
        await testStack.db.query(
          `select distinct encode(substring(text from 5 for 4), 'hex') as key from notes where text is not null`,
        )
      ).rows
    const keyIdsBefore = await listNoteKeyIds()
    await testStack.dashboard.end()
    await testStack.dashboard.restart({
      ENCRYPTION_KEY: 'another-encryption-key-of-this-run-9876543210',
      ENCRYPTION_KEY_PREVIOUS: testEncryptionKey,
    })
    await expect.poll(listNoteKeyIds, { timeout: 20_000 }).not.toEqual(keyIdsBefore)
    await testStack.dashboard.end()
    await testStack.dashboard.restart({
      ENCRYPTION_KEY: 'another-encryption-key-of-this-run-9876543210',
      ENCRYPTION_KEY_PREVIOUS: '',
    })
    expect((await readNotes(viewer)).map(({ text }) => text)).toContain(noteText)
  })
})

describe('of a deleted customer', () => {
  let closeStore: () => Promise<void>
  const authorId = randomUUID()

  beforeAll(async () => {
    closeStore = await openTestStore('PostgreSQL')
    await (await getDatabase())
      .insert(people)
      .values({ id: authorId, email: 'author@company.test', name: 'Author' })
  })
  afterAll(() => closeStore?.())

  test('notes on its records and notes with its name lose their text, and others keep it', async () => {
    const db = await getDatabase()
    const [customerNoteId, noteWithNameId, otherNoteId] = [randomUUID(), randomUUID(), randomUUID()]
    const commonNoteFields = {
      environment: 'sandbox' as const,
      accountId: randomUUID(),
      authorId: authorId,
    }
    await addNote(db, {
      ...commonNoteFields,
      id: customerNoteId,
      target: 'customers/one',
      text: 'asked twice',
    })
    await addNote(db, {
      ...commonNoteFields,
      id: noteWithNameId,
      target: 'payouts/two',
      text: 'for amara OKAFOR again',
    })
    await addNote(db, {
      ...commonNoteFields,
      id: otherNoteId,
      target: 'payouts/two',
      text: 'nothing of the kind',
    })
    expect(await purgeNotes(db, 'sandbox', ['customers/one'], ['Amara Okafor'])).toBe(2)
    expect((await listNotes(db, 'sandbox', 'customers/one')).map(({ text }) => text)).toEqual([
      null,
    ])
    expect(
      (await listNotes(db, 'sandbox', 'payouts/two')).map(({ text }) => text).toSorted(),
    ).toEqual([null, 'nothing of the kind'].toSorted())
  })
})
