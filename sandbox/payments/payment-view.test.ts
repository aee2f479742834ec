import { expect, test } from 'vitest'
import { createOwnPaykey, payoutBody } from '@/tests/sandbox/own-paykey'
import { sandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = sandboxPerFile()

type Payment = Record<string, unknown> & { id: string; customer_details: Record<string, string> }

test('a payment of a deleted customer can be read and found by ID, and contains no other personal data', async () => {
  const paykey = await createOwnPaykey(client())
  const { id } = (await client().post('/v1/payouts', payoutBody(paykey.token), paykey.headers)).json.data as Payment
  const before = (await client().ask(`/v1/payouts/${id}`)).json.data as Payment
  const found = async (query: string) => {
    const items = (await client().ask(`/v1/payments?page_size=1000&${query}`)).json.data as Payment[]
    return items.filter((payment) => payment.id === id)
  }
  const listed = await found(`customer_id=${paykey.customer_id}`)
  expect((await client().ask(`/v1/customers/${paykey.customer_id}`, { method: 'DELETE' })).status).toBe(200)

  const after = await client().ask(`/v1/payouts/${id}`)
  const deletedCustomer = { id: paykey.customer_id, name: 'Deleted customer', customer_type: '', email: '', phone: '' }
  expect(after.json.data).toMatchObject({ id, amount: before.amount, customer_details: deletedCustomer })
  const { name = '', email = '', phone = '' } = before.customer_details
  for (const personal of [name, email, phone]) expect(after.text).not.toContain(personal)
  expect(listed).toHaveLength(1)
  for (const query of [`customer_id=${paykey.customer_id}`, `search_text=${paykey.customer_id}`]) {
    expect(await found(query)).toMatchObject([{ customer_details: deletedCustomer }])
  }
  expect(await found(`search_text=${encodeURIComponent(email)}`)).toEqual([])
})

test('a deleted customer accepts no payments', async () => {
  const paykey = await createOwnPaykey(client())
  await client().ask(`/v1/customers/${paykey.customer_id}`, { method: 'DELETE' })
  const answer = await client().post('/v1/payouts', payoutBody(paykey.token), paykey.headers)
  expect(answer.json.error).toMatchObject({ status: 422, items: [{ reference: 'paykey', detail: expect.stringContaining('deleted') }] })
})
