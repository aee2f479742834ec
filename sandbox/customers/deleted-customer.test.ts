import { describe, expect, test } from 'vitest'
import {
  buildCustomerBody,
  createTestCustomer,
  findAccountWithConfiguration,
  type TestCustomer,
} from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

describe('a deleted customer', () => {
  test('is returned once, then does not exist, disables its paykeys and leaves its payments readable', async () => {
    const createdPayout = await client().payout({
      status: 'paid',
      account_id: (await findAccountWithConfiguration(client(), { allow_data_unmask: true })).id,
    })
    const { id } = (await client().ask(`/v1/payouts/${createdPayout.id}`)).json.data as {
      id: string
    }
    const { customer_details } = (await client().ask(`/v1/payouts/${id}`)).json.data as {
      customer_details: { id: string; name: string }
    }
    const customer = (await client().ask(`/v1/customers/${customer_details.id}`)).json
      .data as TestCustomer
    const response = await client().ask(`/v1/customers/${customer.id}`, { method: 'DELETE' })
    expect([response.status, response.json.data]).toEqual([200, customer])
    for (const path of ['', '/unmasked', '/review']) {
      expect((await client().ask(`/v1/customers/${customer.id}${path}`)).status, path).toBe(404)
    }
    expect((await client().ask(`/v1/customers/${customer.id}`, { method: 'DELETE' })).status).toBe(
      404,
    )
    expect(
      (await client().ask(`/v1/paykeys/${createdPayout.paykey_details.id}`)).json.data,
    ).toMatchObject({ status: 'inactive' })
    const payoutAfterDeletion = (await client().ask(`/v1/payouts/${id}`)).json.data as {
      customer_details: { id: string; email: string }
    }
    expect(payoutAfterDeletion.customer_details).toMatchObject({
      id: customer.id,
      email: '',
      phone: '',
    })
    const reviewResponse = await client().ask(
      `/v1/paykeys/${createdPayout.paykey_details.id}/review`,
    )
    expect(reviewResponse.json.data).toMatchObject({
      verification_details: {
        breakdown: { name_match: { names_on_account: [], matched_name: null } },
      },
    })
    for (const text of [JSON.stringify(payoutAfterDeletion), reviewResponse.text])
      expect(text).not.toContain(customer_details.name)
    const listResponse = await client().ask(`/v1/customers?external_id=${customer.external_id}`)
    expect([listResponse.status, listResponse.json.data]).toEqual([200, []])
    expect(await client().effects(customer.id)).toMatchObject([
      { operation: 'customers.delete', from: 'verified', to: 'deleted' },
    ])
  })

  test('frees its email address and external ID', async () => {
    const account = await findAccountWithConfiguration(client(), { allow_duplicate_email: false })
    const body = buildCustomerBody({ external_id: 'free-again' })
    const { id } = (await client().post('/v1/customers', body, account.headers)).json
      .data as TestCustomer
    expect((await client().ask(`/v1/customers/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await client().post('/v1/customers', body, account.headers)).status).toBe(201)
  })

  test('sends an event, and payments no longer wait for its review', async () => {
    const account = await findAccountWithConfiguration(client())
    const { id } = await createTestCustomer(client(), account, {
      config: { sandbox_outcome: 'review' },
    })
    const payoutOverrides = {
      reason: 'watchtower_review',
      source: 'watchtower',
      customer_id: id,
      account_id: account.id,
    }
    const waitingPayout = await client().payout({ status: 'on_hold', ...payoutOverrides })
    await client().ask(`/v1/customers/${id}`, { method: 'DELETE' })
    expect((await client().ask(`/v1/payouts/${waitingPayout.id}`)).json.data).toMatchObject({
      status: 'failed',
    })
    const { data } = await client().control(`events?object_id=${id}`)
    expect(data.at(-1)?.payload).toMatchObject({
      event_type: 'customer.event.v1',
      data: { id, status: 'review' },
    })
  })
})
