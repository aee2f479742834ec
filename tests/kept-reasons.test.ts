import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  getServiceOperation,
  type ServiceOperationId,
  serviceOperationIds,
} from '@/lib/operations/service-operations'
import { inputCasesByOperation } from '@/tests/operations/input-violations'
import { platformInputCases } from '@/tests/operations/platform-input-violations'
import { type DeskWithHiddenAccount, startDeskWithHiddenAccount } from './harness/hidden-desk'
import {
  buildCustomerBody,
  buildRepresentativeBody,
  type CreatedObject,
  createObjectViaDesk,
  makePaykey,
  readAuditRows,
} from './harness/objects'
import { createIdempotencyKey, goodReason } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'

let testStack: DeskWithHiddenAccount
beforeAll(async () => {
  testStack = await startDeskWithHiddenAccount(await openSharedDesk())
})
afterAll(() => testStack?.stop())

const keptReasonOperations = serviceOperationIds.filter(
  (operation) =>
    getServiceOperation(operation).effect !== 'read' &&
    getServiceOperation(operation).reason === 'kept',
)

function buildValidFields(operation: ServiceOperationId): Record<string, unknown> {
  const { id: _, ...fields } =
    (inputCasesByOperation[operation] ?? platformInputCases[operation])?.good ?? {}
  return fields
}

/** Sends a request for an operation. Everything in it is valid, except perhaps the reason. */
function sendOperationWithReason(operation: ServiceOperationId, reason?: string) {
  const { method, path } = getServiceOperation(operation)
  const foreignObjectId =
    testStack.theirs[operation.slice(0, operation.indexOf('.'))] ?? randomUUID()
  const apiPath = `${path.replace(':id', foreignObjectId)}?account=acct_${testStack.foreign}`
  return testStack.admin.write(
    method,
    apiPath,
    buildValidFields(operation),
    reason === undefined ? {} : { reason },
  )
}

const getOwnAccount = () => `acct_${testStack.own}`
const hashSha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const countActions = async () =>
  (await testStack.db.query('select count(*)::int as rows from actions')).rows[0]?.rows as number

describe.each(keptReasonOperations)('%s', (operation) => {
  test.each([
    ['without a reason', undefined],
    ['with a sentence that has no code', 'because I say so, that is why'],
    ['with a code that has no sentence', 'DATA_CORRECTED: no'],
  ])('%s is rejected for its reason, and nothing is recorded or sent', async (_, reason) => {
    const [rows, seq] = [await countActions(), await testStack.sandbox.lastSeq()]
    expect(await sendOperationWithReason(operation, reason)).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid_input', items: [{ reference: 'reason' }] } },
    })
    expect(await countActions()).toBe(rows)
    expect((await testStack.sandbox.requests(seq)).filter((row) => row.method !== 'GET')).toEqual(
      [],
    )
  })
})

describe('a change with a reason', () => {
  const reason = 'DATA_CORRECTED: An entry error in the record was corrected.'

  async function createRepresentative() {
    const { made } = await createObjectViaDesk(
      testStack.admin,
      '/representatives',
      buildRepresentativeBody(testStack.own),
    )
    const { account_id: _, ...fields } = buildRepresentativeBody(testStack.own)
    return { id: made.id, fields }
  }

  test('stores it in the action and its code in the audit log, and the service does not receive it', async () => {
    const { id, fields } = await createRepresentative()
    const seqBefore = await testStack.sandbox.lastSeq()
    const reply = await testStack.admin.write('PUT', `/representatives/${id}`, fields, { reason })
    expect(reply).toMatchObject({ status: 200, body: { action: { reason, state: 'applied' } } })
    const rows = (await readAuditRows(testStack.db, 'representatives.update.start')).filter(
      (row) => row.target === `representatives/${id}`,
    )
    expect(rows).toMatchObject([{ reason_code: 'DATA_CORRECTED' }])
    const actionsReply = await testStack.admin.get<{ reason: string }[]>(
      `/api/sandbox/desk/actions?target=representatives/${id}`,
    )
    expect(actionsReply.body.data?.map((action) => action.reason)).toContain(reason)
    expect(JSON.stringify(await testStack.sandbox.requests(seqBefore))).not.toContain(
      'DATA_CORRECTED',
    )
  })

  test('is another request under another reason, and a replay under the same one', async () => {
    const { made } = await createObjectViaDesk(
      testStack.admin,
      `/customers?account=${getOwnAccount()}`,
      buildCustomerBody(),
    )
    const idempotencyKey = createIdempotencyKey()
    const changeCustomerWithReason = (changeReason: string) =>
      testStack.admin.write(
        'PUT',
        `/customers/${made.id}?account=${getOwnAccount()}`,
        { name: 'Amara Obi', status: 'verified' },
        { key: idempotencyKey, reason: changeReason },
      )
    expect(await changeCustomerWithReason(reason)).toMatchObject({ status: 200, replayed: false })
    expect(await changeCustomerWithReason(reason)).toMatchObject({ status: 200, replayed: true })
    expect(await changeCustomerWithReason(goodReason)).toMatchObject({
      status: 409,
      body: { error: { code: 'key_reused' } },
    })
    expect(
      (await testStack.sandbox.journal(made.id)).filter(
        (row) => row.operation === 'customers.update',
      ),
    ).toHaveLength(1)
  })
})

describe('a reason that Paydesk stores', () => {
  const reason = 'OWNER_MATCHED: Müller prüfte die Namen, they match'
  const warningHeaders = { 'action-warnings': 'approve_names:unknown' }
  const approvePaykey = (
    paykey: CreatedObject,
    writeOptions: { key?: string; reason?: string; headers?: Record<string, string> },
  ) =>
    testStack.admin.write(
      'PATCH',
      `/paykeys/${paykey.id}/review?account=${getOwnAccount()}`,
      { status: 'active' },
      {
        ...writeOptions,
        headers: { ...warningHeaders, ...writeOptions.headers },
      },
    )

  test('is required and must be valid', async () => {
    const { paykey } = await makePaykey(testStack.admin, getOwnAccount(), 'review')
    const seqBefore = await testStack.sandbox.lastSeq()
    const expectedReasonRefusal = {
      status: 422,
      body: { error: { code: 'invalid_input', items: [{ reference: 'reason' }] } },
    }
    expect(await approvePaykey(paykey, {})).toMatchObject(expectedReasonRefusal)
    expect(await approvePaykey(paykey, { reason: 'too short' })).toMatchObject(
      expectedReasonRefusal,
    )
    expect(await approvePaykey(paykey, { reason: 'it has no code in front of it' })).toMatchObject(
      expectedReasonRefusal,
    )
    expect(
      await approvePaykey(paykey, {
        headers: { 'action-reason': 'OWNER_MATCHED: cut off %E0%A4%A' },
      }),
    ).toMatchObject(expectedReasonRefusal)
    expect(await testStack.sandbox.requests(seqBefore)).toEqual([])
  })

  test('is stored with the action, hashed in the audit log, and never sent', async () => {
    const { paykey } = await makePaykey(testStack.admin, getOwnAccount(), 'review')
    const lastSeqBefore = await testStack.sandbox.lastSeq()
    const reply = await approvePaykey(paykey, { reason })
    expect(reply).toMatchObject({
      status: 200,
      body: { data: { status: 'active' }, action: { reason, effect_verified: null } },
    })
    const [sentWrite] = (await testStack.sandbox.requests(lastSeqBefore)).filter(
      (row) => row.method !== 'GET',
    )
    expect(sentWrite?.body_sha256).toBe(hashSha256('{"status":"active"}'))
    const rows = (await readAuditRows(testStack.db, 'paykeys.decide.applied')).filter(
      (row) => row.action === reply.body.action?.id,
    )
    expect(rows).toMatchObject([
      {
        reason_code: 'OWNER_MATCHED',
        reason_sha256: hashSha256(reason),
        target: `paykeys/${paykey.id}`,
      },
    ])
    expect(JSON.stringify(rows)).not.toContain('Müller')
  })

  test('is part of the request, and another reason under the same key is another request', async () => {
    const { paykey } = await makePaykey(testStack.admin, getOwnAccount(), 'review')
    const idempotencyKey = createIdempotencyKey()
    expect((await approvePaykey(paykey, { key: idempotencyKey, reason })).status).toBe(200)
    expect(await approvePaykey(paykey, { key: idempotencyKey, reason })).toMatchObject({
      status: 200,
      replayed: true,
    })
    expect(await approvePaykey(paykey, { key: idempotencyKey, reason: goodReason })).toMatchObject({
      status: 409,
      body: { error: { code: 'key_reused' } },
    })
  })

  test('that is sent is compared with the response', async () => {
    const { paykey } = await makePaykey(testStack.admin, getOwnAccount())
    const sentReason = 'BANK_CONFIRMED: the bank closed the account last week'
    const cancelPaykeyReply = await testStack.admin.write(
      'PUT',
      `/paykeys/${paykey.id}/cancel?account=${getOwnAccount()}`,
      { reason: sentReason },
      { headers: { 'action-warnings': 'cancel_paykey' } },
    )
    expect(cancelPaykeyReply).toMatchObject({
      status: 200,
      body: { data: { status: 'inactive' }, action: { reason: sentReason, effect_verified: true } },
    })
  })
})
