import { afterAll, beforeAll, expect, test } from 'vitest'
import { listWarningNames, type Person } from './harness/person'
import type { MadePayout, Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let operator: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, operator } = testStack)
})
afterAll(() => testStack?.stop())

type DisputedCharge = { id: string; status_details: { code: string } }

/**
 * Returns a charge that its payer disputed and that was not resubmitted yet, with its account.
 * Throws Error if the seeded data has none.
 */
async function findDisputedCharge(): Promise<[account: string, charge: DisputedCharge]> {
  const { body } = await operator.get<{ id: string }[]>('/api/sandbox/v1/accounts')
  for (const { id } of body.data ?? []) {
    const disputedChargesQuery = `payment_type=charge&status_reason=disputed&has_resubmit=false&account=acct_${id}`
    const [charge] =
      (await operator.get<DisputedCharge[]>(`/api/sandbox/v1/payments?${disputedChargesQuery}`))
        .body.data ?? []
    if (charge) return [`acct_${id}`, charge]
  }
  throw new Error('no charge of the seed was disputed')
}

async function makeCharge(overrides: Record<string, unknown>): Promise<MadePayout> {
  const { account } = await sandbox.makePayout()
  const body = JSON.stringify({ account_id: account.slice(5), ...overrides })
  const response = await fetch(`${sandbox.url}/sandbox/objects/charges`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const { id, data } = (await response.json()) as { id?: string; data?: { id: string } }
  return { id: id ?? data?.id ?? '', account }
}

test('a refund requires a tick while the bank can still return the charge', async () => {
  const { id, account } = await makeCharge({ status: 'paid', amount: 5000 })
  const sendRefund = (warnings: string) =>
    operator.write(
      'POST',
      `/charges/${id}/refund?account=${account}`,
      { amount: 5000 },
      {
        reason: 'GOODWILL: paid back as a gesture of goodwill',
        headers: { 'action-warnings': warnings },
      },
    )
  const warningReply = await sendRefund('')
  const [warningItem] = warningReply.body.error?.items ?? []
  expect([warningReply.status, warningItem?.reference]).toEqual([
    422,
    expect.stringMatching(/^warnings\.returnable:\d{4}-\d\d-\d\d$/),
  ])
  expect(await sandbox.journal(id)).toEqual([])
  expect(
    (await sendRefund(warningItem?.reference.replace('warnings.', '') ?? '')).body.action,
  ).toMatchObject({ state: 'applied' })
})

test('a resubmission with an unreadable bank account requires a tick', async () => {
  const [account, charge] = await findDisputedCharge()
  await sandbox.fault({
    operation: 'paykeys.get',
    match: account.slice(5),
    kind: 'status',
    status: 500,
    count: null,
  })
  const resubmitPath = `/charges/${charge.id}/resubmit?account=${account}`
  const resubmitReply = await operator.write(
    'POST',
    resubmitPath,
    {},
    { reason: 'NEW_AUTHORIZATION: a new authorization is on file' },
  )
  await sandbox.clearFaults()
  expect(listWarningNames(resubmitReply)).toContain('warnings.paykey_unknown')
  expect((await sandbox.journal(charge.id)).map(({ operation }) => operation)).not.toContain(
    'charges.resubmit',
  )
})

test('a resubmission requires the tick of its return code', async () => {
  const [account, charge] = await findDisputedCharge()
  const acknowledgedResubmitReply = await operator.write(
    'POST',
    `/charges/${charge.id}/resubmit?account=${account}`,
    {},
    { reason: 'NEW_AUTHORIZATION: a new authorization is on file' },
  )
  expect(listWarningNames(acknowledgedResubmitReply)).toContain(
    `warnings.return_first:${charge.status_details.code}`,
  )
  expect((await sandbox.journal(charge.id)).map(({ operation }) => operation)).not.toContain(
    'charges.resubmit',
  )
})
