import { createHash, randomUUID } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ActionView } from '@/lib/operations/answer'
import type { ProofDocument } from '@/lib/operations/documents'
import { type DeletionDesk, deletionReason, startDeletionDesk } from './harness/deletions'
import { findLeakedWords } from './harness/leaks'
import {
  buildBankAccountInput,
  buildPayoutBody,
  createObjectViaDesk,
  dumpDatabase,
  readAuditRows,
} from './harness/objects'
import { createIdempotencyKey, createPdfFile, type Person } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import { waitUntil } from './harness/wait-until'
import { buildWebhookEvent, buildWebhookPayout, deliverWebhook } from './harness/webhook'

let testStack: DeletionDesk
let sandbox: Sandbox
let db: Client
let operator: Person
let reviewer: Person
let account: string

beforeAll(async () => {
  testStack = await startDeletionDesk(await openSharedDesk())
  ;({ sandbox, db, operator, reviewer, account } = testStack)
})
afterAll(() => testStack?.stop())

/** Sends webhook events to Paydesk, given by type, and waits until it has processed them. */
async function deliverEvents(events: Record<string, object>) {
  for (const [type, data] of Object.entries(events)) {
    const body = buildWebhookEvent(type, data, account.slice(5))
    expect(
      (
        await deliverWebhook({
          desk: testStack.dashboard.url,
          secret: testStack.webhookSecret,
          body,
        })
      ).status,
    ).toBe(204)
  }
  const hasUnprocessedEvents = async () =>
    (await db.query("select 1 from webhook_events where state = 'received'")).rows.length > 0
  await waitUntil('the events to be processed', async () =>
    (await hasUnprocessedEvents()) ? null : true,
  )
}

/**
 * Creates a customer with a unique name, and many records that contain it. `words` are the personal
 * texts that a deletion must remove.
 */
async function createCustomerWithRecords() {
  const uniqueTag = randomUUID().slice(0, 8)
  const name = `Quillon Vantongeren${uniqueTag}`
  const email = `quillon.${uniqueTag}@private.example`
  const external_id = `quillon-${uniqueTag}`
  const customer = await testStack.newCustomer({ name, email, external_id, phone: '+15125550177' })
  const { made: paykey } = await createObjectViaDesk(
    operator,
    `/bridge/bank_account?account=${account}`,
    buildBankAccountInput(customer.id),
  )
  const { made: payout } = await createObjectViaDesk(
    operator,
    `/payouts?account=${account}`,
    buildPayoutBody(paykey.id, { description: 'Last settlement' }),
    {
      reason: deletionReason,
    },
  )
  const payoutReference = { id: payout.id, account }
  expect(
    (
      await operator.decide(
        'cancel',
        payoutReference,
        createIdempotencyKey(),
        `CUSTOMER_REQUEST: ${name} asked to stop it by phone`,
      )
    ).status,
  ).toBe(200)
  const revealReply = await reviewer.reveal<{ email: string }>(
    `/customers/${customer.id}/unmasked?account=${account}`,
    `SUPPORT_CASE: ${name} called about it`,
  )
  expect(revealReply.body.data?.email).toBe(email)
  const changedFields = { name, status: 'verified', metadata: { segment: 'vip' } }
  expect(
    await operator.write('PUT', `/customers/${customer.id}?account=${account}`, changedFields, {
      reason: deletionReason,
    }),
  ).toMatchObject({
    status: 200,
  })
  const otherPayout = await sandbox.makePayout({ account_id: account.slice(5) })
  expect(
    (
      await operator.decide(
        'release',
        otherPayout,
        createIdempotencyKey(),
        `FALSE_POSITIVE: not the one of ${name} after all`,
      )
    ).status,
  ).toBe(200)
  const proofFields = { authorized_on: '2026-03-31', method: 'internet' }
  const uploadProof = (
    targetPayout: { id: string; account: string },
    proof: Record<string, string>,
  ) =>
    operator.upload(
      targetPayout,
      createPdfFile('agreement.pdf'),
      createIdempotencyKey(),
      new URLSearchParams({ ...proofFields, ...proof }).toString(),
    )
  expect(
    (await uploadProof(payoutReference, { authorized_by: name, note: `Sent by ${email}` })).status,
  ).toBe(201)
  expect(
    (
      await uploadProof(otherPayout, {
        authorized_by: 'Ana Example',
        note: `Not ${name.toUpperCase()} at all`,
      })
    ).status,
  ).toBe(201)
  await deliverEvents({
    'customer.event.v1': { id: customer.id, name, email, external_id, status: 'verified' },
    'paykey.event.v1': { id: paykey.id, customer_id: customer.id, label: name, status: 'active' },
    'payout.event.v1': buildWebhookPayout({
      id: payout.id,
      customer_details: { id: customer.id, name, email },
    }),
  })
  await db.query(
    `insert into saved_views (environment, owner_id, list, name, search)
     select 'sandbox', id, 'customers', $1, $2 from people where email = 'operator@paydesk.test'`,
    [`About ${uniqueTag}`, new URLSearchParams({ search_text: name }).toString()],
  )
  return { customer, paykey, payout, other: otherPayout, words: [name, email, external_id] }
}

test('a deletion removes the person from Paydesk’s records and leaves a verifiable certificate', async () => {
  const { customer, paykey, payout, other, words } = await createCustomerWithRecords()
  const deletionRequestId = await testStack.ask(customer.id)
  expect(findLeakedWords(await dumpDatabase(db), words)).not.toEqual([])
  const readProofs = async ({ id }: { id: string }) =>
    (
      await operator.get<ActionView[]>(`/api/sandbox/desk/actions?target=payouts/${id}`)
    ).body.data?.flatMap(({ operation, proof }) =>
      operation === 'payouts.authorize' ? [proof] : [],
    )
  expect(await readProofs(payout)).toMatchObject([{ authorized_by: words[0] }])
  const readCopies = async (target: { id: string }) =>
    (
      await operator.get<ProofDocument[]>(`/api/sandbox/desk/documents/payouts/${target.id}`)
    ).body.data?.map(({ name, copy }) => [name, copy])
  expect(await readCopies(payout)).toEqual([['agreement.pdf', 'kept']])
  const idempotencyKey = createIdempotencyKey()
  const reply = await testStack.erase(customer.id, idempotencyKey)
  expect(reply).toMatchObject({ status: 200, body: { data: { id: customer.id } } })
  expect(findLeakedWords(await dumpDatabase(db), words)).toEqual([])
  const targets = [`customers/${customer.id}`, `paykeys/${paykey.id}`, `payouts/${payout.id}`]
  const { rows } = await db.query(
    'select operation, body, answer, reason from actions where target = any($1)',
    [targets],
  )
  expect(rows.length).toBeGreaterThanOrEqual(6)
  for (const row of rows)
    expect({ ...row, reason: undefined }).toEqual({
      operation: row.operation,
      body: null,
      answer: null,
    })
  expect(rows.find((row) => row.operation === 'payouts.cancel')?.reason).toBe(
    'CUSTOMER_REQUEST: removed with the customer',
  )
  expect(await readProofs(payout)).toEqual([null])
  expect(await readCopies(payout)).toEqual([['removed', 'erased']])
  expect(await readCopies(other)).toEqual([['agreement.pdf', 'kept']])
  const remainingChunks = await db.query(
    `select a.target from payload_chunks c join actions a on a.payload_id = c.payload_id where a.target = any($1)`,
    [[...targets, `payouts/${other.id}`]],
  )
  expect(remainingChunks.rows).toEqual([{ target: `payouts/${other.id}` }])
  const erasedProof = {
    authorized_by: 'Ana Example',
    authorized_on: '2026-03-31',
    method: 'internet',
    note: 'removed with the customer',
  }
  expect(await readProofs(other)).toEqual([erasedProof])
  const erasedIds = [customer.id, paykey.id, payout.id]
  const mirroredRows = await db.query(
    `select id from (select id from mirror_customers union all select id from mirror_paykeys union all select id from mirror_payments) m where id = any($1)`,
    [erasedIds],
  )
  expect(mirroredRows.rows).toEqual([{ id: payout.id }])
  // The stored response was deleted too, so a repeated request with the same key returns no data.
  const repeatReply = await testStack.erase(customer.id, idempotencyKey)
  expect(repeatReply).toMatchObject({ status: 200, replayed: true })
  expect(repeatReply.body.data).toBeUndefined()
  expect(await testStack.sentFor(customer.id)).toHaveLength(1)

  const { certificate, sha256 } = await testStack.certificateOf(deletionRequestId)
  expect(sha256).toBe(
    createHash('sha256')
      .update(canonicalize(certificate) ?? '')
      .digest('hex'),
  )
  expect(findLeakedWords(JSON.stringify(certificate), [...words, customer.id])).toEqual([])
  expect(certificate).toMatchObject({
    format: 'paydesk-deletion-1',
    ground: {
      asker: 'DATA_SUBJECT_REQUEST',
      basis: 'GDPR_17_1_B',
      identity_check: 'SIGNED_IN',
      ticket: 'PRIV-1234',
      due_on: '2026-12-24',
    },
    people: { requested: { name: 'Omar Operator' }, executed: { name: 'Rhea Reviewer' } },
    provider: {
      operation: 'customers.delete',
      idempotency_key: idempotencyKey,
      proof: 'answer',
      attempts: [{ status: 200 }],
    },
    purged: { views: 1, texts: 2, uploads: 1, index: 2 },
    impact: {
      paykeys: [{ status: 'active', count: 1 }],
      payouts: [{ status: 'cancelled', count: 1, sum: 12_500 }],
    },
  })
  expect(certificate.subject).toMatch(/^[0-9a-f]{64}$/)
  const { rows: links } = await db.query('select body, hash from audit where seq = $1', [
    certificate.audit.seq,
  ])
  expect(links[0].hash).toBe(certificate.audit.hash)
  expect(JSON.parse(links[0].body)).toMatchObject({
    code: 'customers.delete.applied',
    target: `customers/${customer.id}`,
  })
  const certifiedRows = (await readAuditRows(db, 'deletions.certify.applied')).filter(
    (row) => row.subject === certificate.subject,
  )
  expect(certifiedRows).toMatchObject([{ body_sha256: sha256 }])
})
