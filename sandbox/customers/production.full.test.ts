import { expect, test } from 'vitest'
import { buildCustomerBody, findAccountWithConfiguration } from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile('--environment', 'production')

test('production accepts only the standard outcome, set or omitted', async () => {
  const { headers } = await findAccountWithConfiguration(client())
  const createCustomer = (config: Record<string, unknown>) =>
    client().post('/v1/customers', buildCustomerBody({ config }), headers)
  for (const sandbox_outcome of ['verified', 'review', 'rejected']) {
    const { status, json } = await createCustomer({ sandbox_outcome })
    expect([status, json.error]).toEqual([
      422,
      expect.objectContaining({
        items: [expect.objectContaining({ reference: 'config.sandbox_outcome' })],
      }),
    ])
  }
  expect((await createCustomer({ sandbox_outcome: 'standard' })).status).toBe(201)
  expect((await createCustomer({})).status).toBe(201)
})
