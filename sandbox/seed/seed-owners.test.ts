import { describe, expect, test } from 'vitest'
import { linkBankAccount } from '@/tests/sandbox/link-bank-account'
import { createTestCustomer } from '@/tests/sandbox/own-customer'
import { buildPayoutBody } from '@/tests/sandbox/own-paykey'
import type { SandboxClient } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

type ServiceObject = Record<string, unknown> & { id: string; status: string }
type SeededPayment = ServiceObject & {
  payment_type: string
  amount: string
  status_details: { reason: string; message: string }
  customer_details: { id: string }
}
type SeededAccount = ServiceObject & { settings: { payouts: { max_amount: number } } }

async function readAll<T = ServiceObject>(
  client: SandboxClient,
  path: string,
  headers: Record<string, string> = {},
): Promise<T[]> {
  const { status, json } = await client.ask(
    `${path}${path.includes('?') ? '&' : '?'}page_size=1000`,
    { headers },
  )
  expect([path, status]).toEqual([path, 200])
  return json.data as T[]
}

const countByValue = (values: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** Numbers of seeded objects by state, and of held payouts by reason, without their accounts. */
async function readTotals(client: SandboxClient) {
  const customers = await readAll(client, '/v1/customers')
  const paykeys = await readAll(client, '/v1/paykeys')
  const heldPayments = await readAll<SeededPayment>(client, '/v1/payments?payment_status=on_hold')
  return {
    customers: countByValue(customers.map(({ status }) => status)),
    paykeys: countByValue(paykeys.map(({ status }) => status)),
    holds: countByValue(heldPayments.map(({ status_details }) => status_details.reason)),
  }
}

const saas = startSandboxPerFile()
const marketplace = startSandboxPerFile('--integration', 'marketplace')
/** The payments of the whole month count towards the limits of a payment on this day. */
const endOfMonth = '2026-03-31T15:00:00Z'
const directAccount = startSandboxPerFile('--integration', 'account', '--now', endOfMonth)

describe('a seeded marketplace', () => {
  const readPaymentsByAccount = async () => {
    const client = marketplace.client()
    const accounts = await readAll<SeededAccount>(client, '/v1/accounts?status=active')
    return Promise.all(
      accounts.map(async (account) => ({
        account,
        payments: await readAll<SeededPayment>(
          client,
          '/v1/payments',
          client.accountHeaders(account.id),
        ),
      })),
    )
  }

  test('has customers, paykeys and holds in the same states as the default platform', async () => {
    expect(await readTotals(marketplace.client())).toEqual(await readTotals(saas.client()))
    expect(await readAll(marketplace.client(), '/v1/accounts')).toHaveLength(16)
  })

  test('has customers who pay several accounts', async () => {
    const paidAccountsByCustomer = new Map<string, Set<string>>()
    for (const { account, payments } of await readPaymentsByAccount()) {
      expect(payments.length).toBeGreaterThan(30)
      for (const { customer_details } of payments) {
        const paidAccounts = paidAccountsByCustomer.get(customer_details.id) ?? new Set()
        paidAccountsByCustomer.set(customer_details.id, paidAccounts.add(account.id))
      }
    }
    const customersOfSeveral = [...paidAccountsByCustomer.values()].filter(({ size }) => size > 1)
    expect(customersOfSeveral.length).toBeGreaterThan(100)
  })

  test('holds payouts in every account, those for a limit above the limit of that account', async () => {
    for (const { account, payments } of await readPaymentsByAccount()) {
      const heldPayouts = payments.filter(({ status }) => status === 'on_hold')
      expect(heldPayouts.length).toBeGreaterThan(1)
      const { max_amount } = account.settings.payouts
      for (const { amount, status_details } of heldPayouts) {
        const isForLimit = status_details.reason === 'amount_too_large'
        expect(Number(amount) > max_amount).toBe(isForLimit)
        if (isForLimit)
          expect(status_details.message).toContain(
            `max_amount of ${(max_amount / 100).toFixed(2)} USD`,
          )
      }
    }
  })
})

describe('a seeded direct account', () => {
  test('is alone, with customers, paykeys and holds in the same states', async () => {
    expect(await readTotals(directAccount.client())).toEqual(await readTotals(saas.client()))
    expect(await readAll(directAccount.client(), '/v1/accounts')).toMatchObject([
      { status: 'active' },
    ])
  })

  test('has limits that its seeded payments leave room in', async () => {
    const client = directAccount.client()
    await client.control('reset', { payments: 5_000 })
    const account = { id: '', headers: {} }
    const customer = await createTestCustomer(client, account)
    const { paykey } = await linkBankAccount(client, account, customer.id)
    const body = buildPayoutBody(paykey, { payment_date: endOfMonth.slice(0, 10) })
    const { id } = (await client.post('/v1/payouts', body)).json.data as ServiceObject
    await client.control('clock', { advance_seconds: 10 })
    const { json } = await client.ask(`/v1/payouts/${id}`)
    expect(json.data).toMatchObject({ status: 'scheduled' })
  })
})
