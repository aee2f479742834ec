import { createHash, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ActionView } from '@/lib/operations/answer'
import { roles } from '@/lib/operations/define'
import type { ProofDocument } from '@/lib/operations/documents'
import { goodDocxs } from './corpus/docx-good'
import { goodPngs } from './corpus/png'
import { addLimitedPerson, listActiveAccounts, readAuditRows } from './harness/objects'
import { createPdfFile, type Person, signIn } from './harness/person'
import type { MadePayout } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import { createUnknownOutcomeAction, decideOutcome } from './harness/unknown-actions'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let operator: Person
let reviewer: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  operator = testStack.operator
  reviewer = await testStack.signIn('reviewer')
})
afterEach(() => testStack.sandbox.clearFaults())
afterAll(() => testStack?.stop())

const documentPath = (id: string) => `/api/sandbox/desk/documents/${id}`
const openDocument = (person: Person, id: string, headers: Record<string, string> = {}) =>
  person.send(documentPath(id), { headers })
const toSha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const readErrorDetail = async (response: Response) =>
  ((await response.json()) as { error?: { detail: string } }).error?.detail

async function uploadProof(file = createPdfFile('Ana Example agreement.pdf', 700_000)) {
  const payout = await testStack.sandbox.makePayout()
  const reply = await operator.upload(payout, file)
  expect(reply.status).toBe(201)
  return { payout, file, action: reply.body.action as ActionView }
}

const listDocuments = async (person: Person, { id }: Pick<MadePayout, 'id'>) =>
  (await person.get<ProofDocument[]>(`/api/sandbox/desk/documents/payouts/${id}`)).body.data

const countChunks = async (id: string) =>
  (await testStack.db.query('select 1 from payload_chunks where payload_id = $1', [id])).rowCount

const findViews = async (id: string) =>
  (await readAuditRows(testStack.db, 'documents.read.applied')).filter((row) => row.action === id)

describe('the copy of an uploaded proof', () => {
  test('is stored encrypted, and every role of the account opens the same bytes', async () => {
    const { file, action } = await uploadProof()
    expect(action.file).toMatchObject({ copy: 'kept', sha256: toSha256(file.bytes) })
    const { rows } = await testStack.db.query(
      'select bytes from payload_chunks where payload_id = $1 order by number',
      [action.id],
    )
    expect(rows).toHaveLength(2)
    for (const { bytes } of rows) expect(bytes.includes('%PDF')).toBe(false)
    for (const role of roles) {
      const response = await openDocument(await testStack.signIn(role), action.id)
      expect([role, response.status]).toEqual([role, 200])
      expect(toSha256(new Uint8Array(await response.arrayBuffer()))).toBe(toSha256(file.bytes))
    }
  })

  test('is audited at each view, without its name, and not in the log', async () => {
    const { payout, file, action } = await uploadProof()
    for (let view = 0; view < 2; view += 1) await openDocument(reviewer, action.id)
    const views = await findViews(action.id)
    expect(views).toHaveLength(2)
    const { rows } = await testStack.db.query(
      `select id from people where email = 'reviewer@paydesk.test'`,
    )
    expect(views[0]).toMatchObject({
      actor: rows[0].id,
      environment: 'sandbox',
      account: payout.account.slice('acct_'.length),
      target: `payouts/${payout.id}`,
      action: action.id,
      body_sha256: toSha256(file.bytes),
    })
    expect(JSON.stringify(views)).not.toContain('Ana Example')
    expect(testStack.dashboard.log()).not.toContain('Ana Example')
  })

  test('is the same as a missing one for a person of another account', async () => {
    const { payout, action } = await uploadProof()
    const otherAccount = (await listActiveAccounts(operator)).find(
      (id) => `acct_${id}` !== payout.account,
    )
    const email = `limited-${randomUUID()}@paydesk.test` as const
    await addLimitedPerson(testStack.db, email, 'admin', otherAccount ?? '')
    const limitedAdmin = await signIn(testStack.dashboard.url, email)
    const [foreign, missing] = await Promise.all(
      [action.id, randomUUID()].map(async (id) => {
        const response = await openDocument(limitedAdmin, id)
        return { status: response.status, detail: await readErrorDetail(response) }
      }),
    )
    expect(foreign).toEqual({ status: 404, detail: 'There is no such document' })
    expect(foreign).toEqual(missing)
    expect(await listDocuments(limitedAdmin, payout)).toEqual([])
    expect(await listDocuments(limitedAdmin, { id: randomUUID() })).toEqual([])
    expect(await findViews(action.id)).toEqual([])
  })

  test('is shown on Paydesk’s own pages only', async () => {
    const { action } = await uploadProof()
    for (const site of ['none', 'cross-site']) {
      const response = await openDocument(operator, action.id, { 'sec-fetch-site': site })
      expect([site, response.status]).toEqual([site, 403])
    }
    expect(await findViews(action.id)).toEqual([])
  })

  const [png] = goodPngs
  const [docx] = goodDocxs
  test.each([
    ['PDF', createPdfFile('proof.pdf'), 'application/pdf', 'inline'],
    ['PNG', { name: 'Übergabe.png', bytes: png?.make() }, 'image/png', 'inline'],
    [
      'DOCX',
      { name: 'agreement.docx', bytes: docx?.make() },
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'attachment',
    ],
  ])('of a %s file has its checked type, and can run nothing', async (_, file, type, way) => {
    const { action } = await uploadProof({ name: file.name, bytes: file.bytes as Uint8Array })
    const { headers } = await openDocument(operator, action.id)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': type,
      'content-disposition': expect.stringMatching(new RegExp(`^${way}; filename="`)),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
  })

  test('breaks off if a part of it is missing', async () => {
    const { action } = await uploadProof()
    await testStack.db.query('delete from payload_chunks where payload_id = $1 and number = 1', [
      action.id,
    ])
    const response = await openDocument(operator, action.id)
    await expect(response.arrayBuffer()).rejects.toThrow('terminated')
  })

  test('is deleted at once if the service refuses the upload', async () => {
    const payout = await testStack.sandbox.makePayout()
    await testStack.sandbox.fault({
      operation: 'payouts.authorize',
      match: payout.id,
      kind: 'status',
      status: 422,
    })
    const { body } = await operator.upload(payout, createPdfFile('proof.pdf'))
    const id = body.action?.id ?? ''
    expect(body.action).toMatchObject({ state: 'refused', file: { copy: 'not_kept' } })
    expect(await countChunks(id)).toBe(0)
    expect((await openDocument(operator, id)).status).toBe(404)
  })

  test.each([
    ['applied', 1],
    ['refused', 0],
  ] as const)('of an upload that people decide as %s has %i chunks', async (outcome, chunks) => {
    const { id } = await createUnknownOutcomeAction(
      testStack,
      (payout) => operator.upload(payout, createPdfFile('proof.pdf')),
      'payouts.authorize',
    )
    expect(await countChunks(id)).toBe(1)
    expect((await openDocument(operator, id)).status).toBe(404)
    const evidence = 'The provider confirmed this by phone, ticket 77.'
    for (const person of [await testStack.signIn('admin'), reviewer])
      expect((await decideOutcome(person, id, { outcome, evidence })).status).toBe(200)
    expect(await countChunks(id)).toBe(chunks)
  })

  test.each([
    ['settled', 'Paydesk kept no copies when this document was uploaded.', 'not_kept'],
    ['expired', 'Paydesk deleted its copy at the end of the retention period.', 'expired'],
  ])('that was deleted says why: %s', async (reason, detail, copy) => {
    const { payout, action } = await uploadProof()
    await testStack.db.query('delete from payload_chunks where payload_id = $1', [action.id])
    await testStack.db.query(
      'update payloads set released_at = now(), release_reason = $2 where id = $1',
      [action.id, reason],
    )
    const response = await openDocument(operator, action.id)
    expect([response.status, await readErrorDetail(response)]).toEqual([404, detail])
    expect(await listDocuments(operator, payout)).toMatchObject([{ id: action.id, copy }])
  })
})

describe('the documents of a payment', () => {
  test('name the time at which the signed-in person opened each', async () => {
    const { payout, action } = await uploadProof()
    const second = (await operator.upload(payout, createPdfFile('second.pdf'))).body.action
    await openDocument(reviewer, action.id)
    const listOpened = async (person: Person) =>
      (await listDocuments(person, payout))?.map(({ id, opened_at }) => [id, opened_at])
    expect(await listOpened(operator)).toEqual([
      [second?.id, null],
      [action.id, null],
    ])
    expect(await listOpened(reviewer)).toEqual([
      [second?.id, null],
      [action.id, expect.stringMatching(/^\d{4}-.*Z$/)],
    ])
  })

  test.each([
    ['approve', 'approved', {}],
    ['reject', 'rejected', { reason: 'the invoice does not match' }],
  ])(
    'that the approver opened before the decision are recorded: %s',
    async (verb, outcome, body) => {
      const payout = await testStack.sandbox.makePayout({ amount: 600_000 })
      const uploads = []
      for (const name of ['opened.pdf', 'unopened.pdf'])
        uploads.push((await operator.upload(payout, createPdfFile(name))).body.action)
      const [opened, unopened] = uploads
      const id = (await operator.decide('release', payout)).body.action?.id ?? ''
      await openDocument(reviewer, opened?.id ?? '')
      await openDocument(operator, unopened?.id ?? '')
      const reply = await reviewer.post(`/api/sandbox/desk/approvals/${id}/${verb}`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const openedDocument = {
        id: opened?.id,
        sha256: opened?.file?.sha256,
        opened_at: expect.stringMatching(/Z$/),
      }
      const unopenedDocument = { id: unopened?.id, sha256: unopened?.file?.sha256, opened_at: null }
      expect(reply.body.action?.approval).toMatchObject({
        outcome,
        documents: [unopenedDocument, openedDocument],
      })
      const rows = await readAuditRows(testStack.db, `payouts.release.${outcome}`)
      expect(rows.find((row) => row.action === id)?.opened_documents).toEqual([
        opened?.file?.sha256,
      ])
      // A view after the decision changes nothing.
      await openDocument(reviewer, unopened?.id ?? '')
      expect((await operator.action(id)).body.action?.approval?.documents).toEqual([
        unopenedDocument,
        openedDocument,
      ])
    },
  )

  test('are not recorded for a payment without documents', async () => {
    const payout = await testStack.sandbox.makePayout({ amount: 600_000 })
    const id = (await operator.decide('release', payout)).body.action?.id ?? ''
    const reply = await reviewer.post(`/api/sandbox/desk/approvals/${id}/approve`, {
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(reply.body.action?.approval).toMatchObject({ outcome: 'approved', documents: [] })
    const rows = await readAuditRows(testStack.db, 'payouts.release.approved')
    expect(rows.find((row) => row.action === id)).not.toHaveProperty('opened_documents')
  })
})
