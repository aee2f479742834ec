import { expect, test } from 'vitest'
import { buildPayoutBody, createTestPaykey } from '@/tests/sandbox/own-paykey'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

type Payment = Record<string, unknown> & { id: string; customer_details: Record<string, string> }

test('a payment of a deleted customer can be read and found by ID, and contains no other personal data', async () => {
  const paykey = await createTestPaykey(client())
  const { id } = (await client().post('/v1/payouts', buildPayoutBody(paykey.token), paykey.headers))
    .json.data as Payment
  const payoutBefore = (await client().ask(`/v1/payouts/${id}`)).json.data as Payment
  const searchPayments = async (query: string) => {
    const foundPayments = (await client().ask(`/v1/payments?page_size=1000&${query}`)).json
      .data as Payment[]
    return foundPayments.filter((payment) => payment.id === id)
  }
  const paymentsBefore = await searchPayments(`customer_id=${paykey.customer_id}`)
  expect(
    (await client().ask(`/v1/customers/${paykey.customer_id}`, { method: 'DELETE' })).status,
  ).toBe(200)

  const responseAfter = await client().ask(`/v1/payouts/${id}`)
  const deletedCustomer = {
    id: paykey.customer_id,
    name: 'Deleted customer',
    customer_type: '',
    email: '',
    phone: '',
  }
  expect(responseAfter.json.data).toMatchObject({
    id,
    amount: payoutBefore.amount,
    customer_details: deletedCustomer,
  })
  const { name = '', email = '', phone = '' } = payoutBefore.customer_details
  for (const personalText of [name, email, phone])
    expect(responseAfter.text).not.toContain(personalText)
  expect(paymentsBefore).toHaveLength(1)
  for (const query of [`customer_id=${paykey.customer_id}`, `search_text=${paykey.customer_id}`]) {
    expect(await searchPayments(query)).toMatchObject([{ customer_details: deletedCustomer }])
  }
  expect(await searchPayments(`search_text=${encodeURIComponent(email)}`)).toEqual([])
})

test('a deleted customer accepts no payments', async () => {
  const paykey = await createTestPaykey(client())
  await client().ask(`/v1/customers/${paykey.customer_id}`, { method: 'DELETE' })
  const response = await client().post('/v1/payouts', buildPayoutBody(paykey.token), paykey.headers)
  expect(response.json.error).toMatchObject({
    status: 422,
    items: [{ reference: 'paykey', detail: expect.stringContaining('deleted') }],
  })
})
