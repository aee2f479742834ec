import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  getServiceOperation,
  type ServiceOperationId,
  serviceOperationIds,
} from '@/lib/operations/service-operations'
import { inputViolations, platformInputViolations } from '@/tests/operations/input-violations'
import { type DeskWithHiddenAccount, startDeskWithHiddenAccount } from './harness/hidden-desk'
import {
  buildCustomerBody,
  buildRepresentativeBody,
  createObjectViaDesk,
  readAuditRows,
} from './harness/objects'
import { createIdempotencyKey, goodReason } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'

let testStack: DeskWithHiddenAccount
beforeAll(async () => {
  testStack = await startDeskWithHiddenAccount(await openSharedDesk())
})
afterAll(() => testStack?.stop())

const reasonOperations = serviceOperationIds.filter(
  (operation) =>
    getServiceOperation(operation).effect !== 'read' &&
    getServiceOperation(operation).reason === 'kept',
)

function buildValidFields(operation: ServiceOperationId): Record<string, unknown> {
  const { id: _, ...fields } =
    (inputViolations[operation] ?? platformInputViolations[operation])?.good ?? {}
  return fields
}

/** Sends a request for an operation. Everything in it is valid, except perhaps the reason. */
function sendOperation(operation: ServiceOperationId, reason?: string) {
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

const countActions = async () =>
  (await testStack.db.query('select count(*)::int as rows from actions')).rows[0]?.rows as number

describe.each(reasonOperations)('%s', (operation) => {
  test.each([
    ['without a reason', undefined],
    ['with a sentence that has no code', 'because I say so, that is why'],
    ['with a code that has no sentence', 'DATA_CORRECTED: no'],
  ])('%s is rejected for its reason, and nothing is recorded or sent', async (_, reason) => {
    const [rows, seq] = [await countActions(), await testStack.sandbox.lastSeq()]
    expect(await sendOperation(operation, reason)).toMatchObject({
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
  const getOwnAccount = () => `acct_${testStack.own}`

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
    const changeWithReason = (changeReason: string) =>
      testStack.admin.write(
        'PUT',
        `/customers/${made.id}?account=${getOwnAccount()}`,
        { name: 'Amara Obi', status: 'verified' },
        { key: idempotencyKey, reason: changeReason },
      )
    expect(await changeWithReason(reason)).toMatchObject({ status: 200, replayed: false })
    expect(await changeWithReason(reason)).toMatchObject({ status: 200, replayed: true })
    expect(await changeWithReason(goodReason)).toMatchObject({
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
