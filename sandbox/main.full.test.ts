import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createTestProcesses } from '@/tests/sandbox/own-processes'
import type { SandboxClient } from '@/tests/sandbox/sandbox-client'
import { runSandbox } from '@/tests/sandbox/start-process'

const { folder, start } = createTestProcesses()

type Payment = {
  id: string
  amount: string
  status: string
  customer_details: { name: string }
  status_details: { reason: string; source: string }
}

const listPayments = async (client: SandboxClient, query = '') =>
  (await client.ask(`/v1/payments?page_size=1000${query}`)).json.data as Payment[]
const toComparableFields = ({ id, amount, status, customer_details }: Payment) => [
  id,
  amount,
  status,
  customer_details.name,
]

test('a taken port is reported in one line', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const { code, error } = await runSandbox('--port', String(port), '--data', folder())
  expect([code, error.trim()]).toEqual([1, `port ${port} is taken; choose another with --port`])
  await new Promise((resolve) => server.close(resolve))
})

describe('the seed', () => {
  test('yields the same data for the same number, in any folder and after a reset', async () => {
    const firstSandbox = await start(folder(), '--payments', '300', '--seed', '7')
    const sameSeedSandbox = await start(folder(), '--payments', '300', '--seed', '7')
    const otherSeedSandbox = await start(folder(), '--payments', '300', '--seed', '8')
    const paymentsBefore = (await listPayments(firstSandbox.client)).map(toComparableFields)
    expect(paymentsBefore).toHaveLength(300)
    expect((await listPayments(sameSeedSandbox.client)).map(toComparableFields)).toEqual(
      paymentsBefore,
    )
    expect((await listPayments(otherSeedSandbox.client)).map(toComparableFields)).not.toEqual(
      paymentsBefore,
    )
    await firstSandbox.client.payout()
    expect(await firstSandbox.client.control('reset', {})).toEqual({ seed: 7, payments: 300 })
    expect((await listPayments(firstSandbox.client)).map(toComparableFields)).toEqual(
      paymentsBefore,
    )
  })

  test('has payouts on hold for every reason, in several accounts, and every other status', async () => {
    const { client, process } = await start(folder())
    expect(process.lines).toEqual(
      expect.arrayContaining(['seeding payments 2000/5000', `sandbox ready ${process.url}`]),
    )
    const heldPayouts = await listPayments(client, '&payment_status=on_hold&payment_type=payout')
    const reasonSourcePairs = new Set(
      heldPayouts.map(({ status_details }) => `${status_details.reason}/${status_details.source}`),
    )
    expect(heldPayouts).toHaveLength(24)
    expect([...reasonSourcePairs].toSorted()).toEqual([
      'amount_too_large/watchtower',
      'auto_hold/watchtower',
      'invalid_paykey/watchtower',
      'risk_review/watchtower',
      'user_request/user_action',
      'watchtower_review/watchtower',
    ])
    for (const status of [
      'created',
      'scheduled',
      'pending',
      'paid',
      'failed',
      'reversed',
      'cancelled',
    ]) {
      expect(
        (await listPayments(client, `&payment_status=${status}`)).length,
        status,
      ).toBeGreaterThan(0)
    }
  })
})

test('a reset replaces the data, and keeps only the API keys', async () => {
  const { client } = await start(folder(), '--payments', '100')
  const payout = await client.payout()
  const idempotencyHeader = { 'idempotency-key': 'wiped-by-the-reset' }
  await client.put(`/v1/payouts/${payout.id}/release`, {}, idempotencyHeader)
  await client.fault({ operation: '*', match: '*', kind: 'refuse', count: null })
  await client.control('reset', { seed: 3, payments: 50 })
  expect((await client.ask(`/v1/payouts/${payout.id}`)).status).toBe(404)
  expect((await client.control('journal')).data).toEqual([])
  expect((await client.control('faults')).data).toEqual([])
  expect((await client.control('requests')).data).toHaveLength(1)
  expect(await listPayments(client)).toHaveLength(50)
})

test('runs while requests get 503 and a second reset is rejected', async () => {
  const { client } = await start(folder(), '--payments', '100')
  const resetResponsePromise = client.control('reset', { payments: 20_000 })
  await expect
    .poll(async () => (await client.ask('/v1/payments')).status, { interval: 1 })
    .toBe(503)
  expect((await client.controlRaw('reset', {})).status).toBe(409)
  expect(await resetResponsePromise).toMatchObject({ payments: 20_000 })
  expect((await client.ask('/v1/payments')).json.meta?.total_items).toBe(20_000)
})
