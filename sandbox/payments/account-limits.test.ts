import { expect, test } from 'vitest'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { paymentTypes } from './payment-values'

const { client } = startSandboxPerFile()

type Limits = {
  max_amount: number
  daily_amount: number
  monthly_amount: number
  monthly_count: number
}
type Payment = {
  id: string
  status: string
  status_details: { reason: string; source: string; message: string }
}
type Account = { id: string; settings: { charges: Limits; payouts: Limits } }

const listActiveAccounts = async () =>
  (await client().ask('/v1/accounts?status=active&page_size=100')).json.data as Account[]

/**
 * Returns the active account at an index. Tests that share an account use payments of different
 * months, so that they do not use up each other's limits.
 */
async function getActiveAccount(index: number): Promise<Account> {
  const account = (await listActiveAccounts())[index]
  if (!account) throw new Error(`there is no active account number ${index}`)
  return account
}

const makePayment = (type: string, overrides: Record<string, unknown>) =>
  client().control<Payment>(`objects/${type}s`, overrides)

/**
 * Returns a date that lies `months` after the current month. Seeded payments have no dates there,
 * so they do not use up a limit. `day` must be from 1 to 28, because every month has these days.
 */
function makeFutureDate(months: number, day: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day))
    .toISOString()
    .slice(0, 10)
}

async function makeCheckedPayment(
  type: string,
  overrides: Record<string, unknown>,
): Promise<Payment> {
  const { id } = await makePayment(type, overrides)
  await client().put(`/v1/${type}s/${id}/release`, {})
  await client().control('clock', { advance_seconds: 6 })
  return (await client().ask(`/v1/${type}s/${id}`)).json.data as Payment
}

const makeHeldOverLimitState = (limit: string) => ({
  status: 'on_hold',
  status_details: {
    reason: 'amount_too_large',
    source: 'watchtower',
    message: expect.stringContaining(limit),
  },
})

const scheduledState = { status: 'scheduled' }

test.each(paymentTypes)(
  'a %s above max_amount is held, and continues when it is released',
  async (type) => {
    const { id: account_id, settings } = await getActiveAccount(0)
    const { max_amount } = settings[`${type}s`]
    const paymentFields = { account_id, payment_date: makeFutureDate(2, 3) }
    expect(await makeCheckedPayment(type, { ...paymentFields, amount: max_amount })).toMatchObject(
      scheduledState,
    )
    const heldPayment = await makeCheckedPayment(type, { ...paymentFields, amount: max_amount + 1 })
    expect(heldPayment).toMatchObject(makeHeldOverLimitState('max_amount'))
    await client().put(`/v1/${type}s/${heldPayment.id}/release`, {})
    await client().control('clock', { advance_seconds: 6 })
    expect((await client().ask(`/v1/${type}s/${heldPayment.id}`)).json.data).toMatchObject(
      scheduledState,
    )
  },
)

test.each(paymentTypes)(
  'a %s above daily_amount is held, without other days, the other type and ended payments',
  async (type) => {
    const { id: account_id, settings } = await getActiveAccount(1)
    const { max_amount, daily_amount } = settings[`${type}s`]
    const accountAndDate = { account_id, payment_date: makeFutureDate(2, 3) }
    const maxPaymentCount = Math.floor(daily_amount / max_amount)
    for (let index = 0; index < maxPaymentCount; index++)
      await makePayment(type, { ...accountAndDate, amount: max_amount, status: 'paid' })
    await makePayment(type, { ...accountAndDate, amount: max_amount, status: 'failed' })
    await makePayment(type, { ...accountAndDate, amount: max_amount, status: 'cancelled' })
    await makePayment(type === 'charge' ? 'payout' : 'charge', {
      ...accountAndDate,
      amount: max_amount,
      status: 'paid',
    })
    await makePayment(type, {
      ...accountAndDate,
      payment_date: makeFutureDate(2, 4),
      amount: max_amount,
      status: 'paid',
    })
    const remainingAmount = daily_amount - maxPaymentCount * max_amount
    if (remainingAmount > 0)
      expect(
        await makeCheckedPayment(type, { ...accountAndDate, amount: remainingAmount }),
      ).toMatchObject(scheduledState)
    expect(await makeCheckedPayment(type, { ...accountAndDate, amount: 1 })).toMatchObject(
      makeHeldOverLimitState('daily_amount'),
    )
    expect(
      await makeCheckedPayment(type, {
        ...accountAndDate,
        payment_date: makeFutureDate(2, 5),
        amount: 1,
      }),
    ).toMatchObject(scheduledState)
    const otherAccount = await getActiveAccount(2)
    expect(
      await makeCheckedPayment(type, { ...accountAndDate, account_id: otherAccount.id, amount: 1 }),
    ).toMatchObject(scheduledState)
  },
)

test('a payout above monthly_amount is held in that calendar month only', async () => {
  const { id: account_id, settings } = await getActiveAccount(3)
  const { max_amount, daily_amount, monthly_amount } = settings.payouts
  const paymentsPerDay = Math.floor(daily_amount / max_amount)
  const fullPaymentCount = Math.floor(monthly_amount / max_amount)
  for (let index = 0; index < fullPaymentCount; index++) {
    const payment_date = makeFutureDate(3, 1 + Math.floor(index / paymentsPerDay))
    await makePayment('payout', {
      account_id,
      payment_date,
      amount: max_amount,
      status: 'scheduled',
    })
  }
  const overLimitFields = { account_id, amount: monthly_amount - fullPaymentCount * max_amount + 1 }
  expect(
    await makeCheckedPayment('payout', { ...overLimitFields, payment_date: makeFutureDate(3, 28) }),
  ).toMatchObject(makeHeldOverLimitState('monthly_amount'))
  expect(
    await makeCheckedPayment('payout', { ...overLimitFields, payment_date: makeFutureDate(4, 1) }),
  ).toMatchObject(scheduledState)
  expect(
    await makeCheckedPayment('payout', { ...overLimitFields, payment_date: makeFutureDate(2, 28) }),
  ).toMatchObject(scheduledState)
})

test('a payout above monthly_count is held', async () => {
  const activeAccounts = await listActiveAccounts()
  const [fewest] = activeAccounts
    .slice(4)
    .toSorted(
      (one, other) => one.settings.payouts.monthly_count - other.settings.payouts.monthly_count,
    )
  const monthlyCount = fewest?.settings.payouts.monthly_count ?? 0
  const overrides = { account_id: fewest?.id, payment_date: makeFutureDate(5, 2), amount: 1 }
  for (let index = 0; index < monthlyCount - 1; index++)
    await makePayment('payout', { ...overrides, status: 'paid' })
  expect(await makeCheckedPayment('payout', overrides)).toMatchObject(scheduledState)
  expect(await makeCheckedPayment('payout', overrides)).toMatchObject(
    makeHeldOverLimitState('monthly_count'),
  )
})

test('a payment held for a limit does not use the limit', async () => {
  const { id: account_id, settings } = await getActiveAccount(2)
  const paymentDayFields = { account_id, payment_date: makeFutureDate(6, 3) }
  const hugePayout = await makeCheckedPayment('payout', {
    ...paymentDayFields,
    amount: settings.payouts.daily_amount,
  })
  expect(hugePayout).toMatchObject(makeHeldOverLimitState('max_amount'))
  expect(
    await makeCheckedPayment('payout', {
      ...paymentDayFields,
      amount: settings.payouts.max_amount,
    }),
  ).toMatchObject(scheduledState)
})

test('of two payments that wait for their check the earlier one uses the rest of the limit', async () => {
  const { id: account_id, settings } = await getActiveAccount(2)
  const { max_amount, daily_amount } = settings.payouts
  const day = { account_id, payment_date: makeFutureDate(7, 3) }
  for (let usedAmount = 0; usedAmount + max_amount < daily_amount; usedAmount += max_amount)
    await makePayment('payout', { ...day, amount: max_amount, status: 'paid' })
  const twoHeldPayouts = [
    await makePayment('payout', { ...day, amount: max_amount }),
    await makePayment('payout', { ...day, amount: max_amount }),
  ]
  for (const { id } of twoHeldPayouts) await client().put(`/v1/payouts/${id}/release`, {})
  await client().control('clock', { advance_seconds: 6 })
  const checkedPayments = await Promise.all(
    twoHeldPayouts.map(async ({ id }) => (await client().ask(`/v1/payouts/${id}`)).json.data),
  )
  expect(checkedPayments).toMatchObject([scheduledState, makeHeldOverLimitState('daily_amount')])
})

test.each(paymentTypes)(
  'a release of a %s above a limit applies to its amount, not to a larger one',
  async (type) => {
    const { id: account_id, settings } = await getActiveAccount(2)
    const { max_amount } = settings[`${type}s`]
    const day = { account_id, payment_date: makeFutureDate(8, 3) }
    const { id } = await makeCheckedPayment(type, { ...day, amount: max_amount + 2 })
    const path = `/v1/${type}s/${id}`
    const changeAndCheckPayment = async (amount: number) => {
      await client().put(`${path}/release`, {})
      await client().put(path, { description: 'Changed', amount, payment_date: day.payment_date })
      await client().control('clock', { advance_seconds: 6 })
      return (await client().ask(path)).json.data
    }
    expect(await changeAndCheckPayment(max_amount + 4)).toMatchObject(
      makeHeldOverLimitState('max_amount'),
    )
    expect(await changeAndCheckPayment(max_amount + 3)).toMatchObject(scheduledState)
    await client().put(`${path}/hold`, {})
    expect(await changeAndCheckPayment(2_147_483_647)).toMatchObject(
      makeHeldOverLimitState('max_amount'),
    )
  },
)

test('a payout released at one amount may be reduced', async () => {
  const { id: account_id, settings } = await getActiveAccount(2)
  const day = { account_id, payment_date: makeFutureDate(9, 3) }
  const { id } = await makeCheckedPayment('payout', {
    ...day,
    amount: settings.payouts.max_amount + 2,
  })
  await client().put(`/v1/payouts/${id}/release`, {})
  const updateBody = {
    description: 'Changed',
    amount: settings.payouts.max_amount + 1,
    payment_date: day.payment_date,
  }
  await client().put(`/v1/payouts/${id}`, updateBody)
  await client().control('clock', { advance_seconds: 6 })
  expect((await client().ask(`/v1/payouts/${id}`)).json.data).toMatchObject(scheduledState)
})
