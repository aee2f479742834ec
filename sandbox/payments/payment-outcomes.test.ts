import { describe, expect, test } from 'vitest'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { paymentTypes } from './payment-values'

const { client } = startSandboxPerFile()

type StatusChange = {
  status: string
  reason: string
  source: string
  code: string | null
  changed_at: string
}
type Payment = {
  id: string
  status: string
  status_details: StatusChange
  status_history: StatusChange[]
  processed_at: string | null
  effective_at: string | null
  trace_ids: Record<string, string>
  paykey_details: { id: string }
}

const readPayment = async (type: string, id: string) =>
  (await client().ask(`/v1/${type}s/${id}`)).json.data as Payment
const advanceClock = (seconds: number) => client().control('clock', { advance_seconds: seconds })

/** Creates a held payment and releases it, so that timers move it from `created` on. */
async function createReleasedPayment(
  type: string,
  overrides: Record<string, unknown>,
): Promise<Payment> {
  const { id } = await client().control<Payment>(`objects/${type}s`, overrides)
  return (await client().put(`/v1/${type}s/${id}/release`, {})).json.data as Payment
}

/**
 * Returns the statuses of a payment since its release, and as last element a text with code, reason
 * and source of the last status.
 */
function listStatusesAndCause({ status_history }: Payment): string[] {
  const historyAfterHold = status_history.slice(
    status_history.findIndex(({ status }) => status === 'on_hold') + 1,
  )
  const { reason, source, code } = historyAfterHold.at(-1) ?? { reason: '', source: '', code: null }
  return [
    ...historyAfterHold.map(({ status }) => status),
    [code, reason, source].filter((part) => part !== null).join(' '),
  ]
}

const sentStatuses = ['created', 'scheduled', 'pending', 'pending', 'pending']

// Statuses and final cause that each outcome must lead to, written by hand from the provider's
// documentation.
const expectedStatusesByOutcome: [outcome: string, way: string[]][] = [
  ['standard', [...sentStatuses, 'paid', 'ok system']],
  ['paid', [...sentStatuses, 'paid', 'ok system']],
  ['on_hold_daily_limit', ['created', 'on_hold', 'amount_too_large watchtower']],
  ['cancelled_for_fraud_risk', ['created', 'cancelled', 'payment_blocked watchtower']],
  ['cancelled_for_balance_check', ['created', 'cancelled', 'insufficient_funds watchtower']],
  ['failed_insufficient_funds', [...sentStatuses, 'failed', 'R01 insufficient_funds bank_decline']],
  [
    'failed_closed_bank_account',
    [...sentStatuses, 'failed', 'R02 closed_bank_account bank_decline'],
  ],
  ['failed_customer_dispute', [...sentStatuses, 'failed', 'R05 disputed customer_dispute']],
  ['failed_not_authorized', [...sentStatuses, 'failed', 'R29 disputed customer_dispute']],
  [
    'reversed_insufficient_funds',
    [...sentStatuses, 'paid', 'reversed', 'R01 insufficient_funds bank_decline'],
  ],
  [
    'reversed_closed_bank_account',
    [...sentStatuses, 'paid', 'reversed', 'R02 closed_bank_account bank_decline'],
  ],
  [
    'reversed_customer_dispute',
    [...sentStatuses, 'paid', 'reversed', 'R05 disputed customer_dispute'],
  ],
  [
    'reversed_not_authorized',
    [...sentStatuses, 'paid', 'reversed', 'R29 disputed customer_dispute'],
  ],
]

describe.each(paymentTypes)('a %s', (type) => {
  test.each(expectedStatusesByOutcome)(
    'with the outcome %s has the documented history',
    async (sandbox_outcome, way) => {
      const { id } = await createReleasedPayment(type, { sandbox_outcome })
      await advanceClock(3_600)
      expect(listStatusesAndCause(await readPayment(type, id))).toEqual(way)
    },
  )

  test('held for its outcome continues when it is released, and is not held again', async () => {
    const { id } = await createReleasedPayment(type, { sandbox_outcome: 'on_hold_daily_limit' })
    await advanceClock(6)
    expect((await readPayment(type, id)).status_details).toMatchObject({
      reason: 'amount_too_large',
      code: null,
    })
    await client().put(`/v1/${type}s/${id}/release`, {})
    await advanceClock(3_600)
    expect((await readPayment(type, id)).status).toBe('paid')
  })

  test('has the documented times, even if the clock jumps by days', async () => {
    const { id } = await createReleasedPayment(type, {
      sandbox_outcome: 'reversed_insufficient_funds',
    })
    await advanceClock(3 * 86_400)
    const { status_history, processed_at, effective_at, trace_ids } = await readPayment(type, id)
    const [from, ...rest] = status_history.slice(2).map(({ changed_at }) => Date.parse(changed_at))
    expect(rest.map((at) => (at - (from ?? 0)) / 1000)).toEqual([5, 65, 85, 105, 125, 365])
    expect([Date.parse(processed_at ?? ''), Date.parse(effective_at ?? '')]).toEqual([
      (from ?? 0) + 65_000,
      (from ?? 0) + 125_000,
    ])
    expect(trace_ids).toEqual({ [type]: expect.stringMatching(/^\d{15}$/) })
  })
})

test('a failed payment has no settlement time', async () => {
  const { id } = await createReleasedPayment('charge', {
    sandbox_outcome: 'failed_insufficient_funds',
  })
  await advanceClock(3_600)
  expect(await readPayment('charge', id)).toMatchObject({
    status: 'failed',
    processed_at: expect.any(String),
    effective_at: null,
  })
})

test.each([
  ['R29', 'failed_not_authorized', true],
  ['R02', 'failed_closed_bank_account', false],
  ['R05', 'reversed_customer_dispute', false],
])(
  'the return %s blocks the paykey after two seconds, and payments on it then fail within a second',
  async (code, sandbox_outcome, eligible) => {
    const charge = await createReleasedPayment('charge', { sandbox_outcome })
    const readPaykey = async () =>
      (await client().ask(`/v1/paykeys/${charge.paykey_details.id}`)).json.data
    await advanceClock(120)
    expect(await readPaykey()).toMatchObject({ status: 'active' })
    await advanceClock(3_600)
    expect(await readPaykey()).toMatchObject({
      status: 'blocked',
      unblock_eligible: eligible,
      status_details: { code },
    })
    const nextCharge = await createReleasedPayment('charge', {
      paykey_id: charge.paykey_details.id,
    })
    await advanceClock(1)
    expect((await readPayment('charge', nextCharge.id)).status_details).toMatchObject({
      reason: 'invalid_paykey',
      source: 'watchtower',
      code,
    })
    const [ended, blocked] = [
      await readPayment('charge', charge.id),
      (await readPaykey()) as { status_details: StatusChange },
    ]
    expect(
      Date.parse(blocked.status_details.changed_at) - Date.parse(ended.status_details.changed_at),
    ).toBe(2_000)
  },
)
