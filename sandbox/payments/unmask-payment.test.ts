import { expect, test } from 'vitest'
import { findAccountWithConfiguration } from '@/tests/sandbox/own-customer'
import { buildChargeBody, buildPayoutBody, createTestPaykey } from '@/tests/sandbox/own-paykey'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

const bodyBuilders = { charge: buildChargeBody, payout: buildPayoutBody } as const

const findAccountWithoutUnmasking = () =>
  findAccountWithConfiguration(client(), { allow_data_unmask: false })

test.each(['charge', 'payout'] as const)(
  'the unmasked %s differs only by the full token and the real address',
  async (type) => {
    const paykey = await createTestPaykey(client())
    const createResponse = await client().post(
      `/v1/${type}s`,
      bodyBuilders[type](paykey.token),
      paykey.headers,
    )
    const payment = createResponse.json.data as { id: string }
    const response = await client().ask(`/v1/${type}s/${payment.id}/unmask`, {
      headers: paykey.headers,
    })
    expect([response.status, response.json.data]).toEqual([
      200,
      { ...payment, paykey: paykey.token, device: { ip_address: '198.51.100.23' } },
    ])
    expect([
      createResponse.text.includes(paykey.token),
      createResponse.text.includes('198.51.100.23'),
    ]).toEqual([false, false])
  },
)

test('seeded payments can be unmasked too', async () => {
  const accountId = (await client().payout()).account_id
  const accountHeader = { 'service-account-id': accountId }
  const [seeded] = (await client().ask('/v1/payments?page_size=1', { headers: accountHeader })).json
    .data as {
    id: string
    payment_type: string
  }[]
  const unmaskResponse = await client().ask(`/v1/${seeded?.payment_type}s/${seeded?.id}/unmask`)
  expect(unmaskResponse.json.data).toMatchObject({
    paykey: expect.stringMatching(/^[0-9a-f]{8}\.02\.[0-9a-f]{64}$/),
    device: { ip_address: expect.stringMatching(/^203\.0\.113\.\d+$/) },
  })
})

test.each(['charge', 'payout'])(
  'a %s of an account whose settings forbid it is 403 with the setting’s name',
  async (type) => {
    const { id } = await client().control<{ id: string }>(`objects/${type}s`, {
      account_id: (await findAccountWithoutUnmasking()).id,
    })
    const refusedUnmaskResponse = await client().ask(`/v1/${type}s/${id}/unmask`)
    expect(refusedUnmaskResponse.json.error).toMatchObject({
      status: 403,
      detail: expect.stringContaining('allow_data_unmask'),
    })
  },
)

test('a payment of another account is 404', async () => {
  const payout = await client().payout()
  const { headers } = await findAccountWithoutUnmasking()
  expect((await client().ask(`/v1/payouts/${payout.id}/unmask`, { headers })).status).toBe(404)
})
