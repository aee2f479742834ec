import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServiceOperationId, serviceOperation, serviceOperationIds } from '@/lib/operations/service-operations'
import { inputViolations, platformInputViolations } from '@/tests/operations/input-violations'
import { type HiddenDesk, startHiddenDesk } from './harness/hidden-desk'
import { buildCustomerBody, buildRepresentativeBody, createViaDesk, readAuditRows } from './harness/objects'
import { goodReason, newKey } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'

let desk: HiddenDesk
beforeAll(async () => {
  desk = await startHiddenDesk(await openSharedDesk())
})
afterAll(() => desk?.stop())

const reasonOperations = serviceOperationIds.filter(
  (operation) => serviceOperation(operation).effect !== 'read' && serviceOperation(operation).reason === 'kept',
)

function buildFields(operation: ServiceOperationId): Record<string, unknown> {
  const { id: _, ...fields } = (inputViolations[operation] ?? platformInputViolations[operation])?.good ?? {}
  return fields
}

/** Sends an operation in which everything is valid except the reason. */
function sendOperation(operation: ServiceOperationId, reason?: string) {
  const { method, path } = serviceOperation(operation)
  const id = desk.theirs[operation.slice(0, operation.indexOf('.'))] ?? randomUUID()
  const where = `${path.replace(':id', id)}?account=acct_${desk.foreign}`
  return desk.admin.write(method, where, buildFields(operation), reason === undefined ? {} : { reason })
}

const countActions = async () => (await desk.db.query('select count(*)::int as rows from actions')).rows[0]?.rows as number

describe.each(reasonOperations)('%s', (operation) => {
  test.each([
    ['without a reason', undefined],
    ['with a sentence that has no code', 'because I say so, that is why'],
    ['with a code that has no sentence', 'DATA_CORRECTED: no'],
  ])('%s is rejected for its reason, and nothing is recorded or sent', async (_, reason) => {
    const [rows, seq] = [await countActions(), await desk.sandbox.lastSeq()]
    expect(await sendOperation(operation, reason)).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid_input', items: [{ reference: 'reason' }] } },
    })
    expect(await countActions()).toBe(rows)
    expect((await desk.sandbox.requests(seq)).filter((row) => row.method !== 'GET')).toEqual([])
  })
})

describe('a change with a reason', () => {
  const reason = 'DATA_CORRECTED: An entry error in the record was corrected.'
  const getOwnAccount = () => `acct_${desk.own}`

  async function person() {
    const { made } = await createViaDesk(desk.admin, '/representatives', buildRepresentativeBody(desk.own))
    const { account_id: _, ...fields } = buildRepresentativeBody(desk.own)
    return { id: made.id, fields }
  }

  test('stores it in the action and its code in the audit log, and the service does not receive it', async () => {
    const { id, fields } = await person()
    const seqBefore = await desk.sandbox.lastSeq()
    const reply = await desk.admin.write('PUT', `/representatives/${id}`, fields, { reason })
    expect(reply).toMatchObject({ status: 200, body: { action: { reason, state: 'applied' } } })
    const rows = (await readAuditRows(desk.db, 'representatives.update.start')).filter((row) => row.target === `representatives/${id}`)
    expect(rows).toMatchObject([{ reason_code: 'DATA_CORRECTED' }])
    const actionsReply = await desk.admin.get<{ reason: string }[]>(`/api/sandbox/desk/actions?target=representatives/${id}`)
    expect(actionsReply.body.data?.map((action) => action.reason)).toContain(reason)
    expect(JSON.stringify(await desk.sandbox.requests(seqBefore))).not.toContain('DATA_CORRECTED')
  })

  test('is another request under another reason, and a replay under the same one', async () => {
    const { made } = await createViaDesk(desk.admin, `/customers?account=${getOwnAccount()}`, buildCustomerBody())
    const idempotencyKey = newKey()
    const changeWithReason = (why: string) =>
      desk.admin.write(
        'PUT',
        `/customers/${made.id}?account=${getOwnAccount()}`,
        { name: 'Amara Obi', status: 'verified' },
        { key: idempotencyKey, reason: why },
      )
    expect(await changeWithReason(reason)).toMatchObject({ status: 200, replayed: false })
    expect(await changeWithReason(reason)).toMatchObject({ status: 200, replayed: true })
    expect(await changeWithReason(goodReason)).toMatchObject({ status: 409, body: { error: { code: 'key_reused' } } })
    expect((await desk.sandbox.journal(made.id)).filter((row) => row.operation === 'customers.update')).toHaveLength(1)
  })
})
