import { describe, expect, test } from 'vitest'
import {
  buildCustomerBody,
  findAccountWithConfiguration,
  type TestCustomer,
} from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

const createWithoutVerification = async (isAllowed: boolean) =>
  client().post(
    '/v1/customers',
    buildCustomerBody({ config: { processing_method: 'skip' } }),
    (
      await findAccountWithConfiguration(client(), {
        allow_customer_identity_skip: isAllowed,
      })
    ).headers,
  )

describe('skipping the verification', () => {
  test('is forbidden unless the configuration allows it', async () => {
    const answer = await createWithoutVerification(false)
    expect([answer.status, (answer.json.error as { detail: string }).detail]).toEqual([
      403,
      expect.stringContaining('allow_customer_identity_skip'),
    ])
  })

  test('creates a verified customer without findings', async () => {
    const customer = (await createWithoutVerification(true)).json.data as TestCustomer
    expect(customer.status).toBe('verified')
    expect((await client().ask(`/v1/customers/${customer.id}/review`)).json.data).toEqual({
      customer_details: customer,
      identity_details: null,
    })
  })
})
