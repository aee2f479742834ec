import { decode } from 'hono/jwt'
import { expect, test } from 'vitest'
import {
  buildBankAccountBody,
  linkBankAccount,
  sendLinkRequest,
} from '@/tests/sandbox/link-bank-account'
import { createTestCustomer, findAccountWithConfiguration } from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile('--environment', 'production')

test('production rejects a chosen outcome, for a link and for a token', async () => {
  const account = await findAccountWithConfiguration(client())
  const customer = await createTestCustomer(client(), account)
  const config = { sandbox_outcome: 'active' }
  const initializeBridge = (overrides: Record<string, unknown>) =>
    client().post(
      '/v1/bridge/initialize',
      { customer_id: customer.id, ...overrides },
      account.headers,
    )
  for (const answer of [
    await sendLinkRequest(client(), account, buildBankAccountBody(customer.id, { config })),
    await initializeBridge({ config }),
  ]) {
    const expectedErrorItems = [expect.objectContaining({ reference: 'config.sandbox_outcome' })]
    expect([answer.status, answer.json.error?.items]).toEqual([422, expectedErrorItems])
  }
  const linkedPaykey = await linkBankAccount(client(), account, customer.id, {
    config: { sandbox_outcome: 'standard' },
  })
  expect(linkedPaykey).toMatchObject({ status: 'active', config: { sandbox_outcome: 'standard' } })
  const { bridge_token } = (await initializeBridge({})).json.data as { bridge_token: string }
  expect(decode(bridge_token).payload).toMatchObject({
    environment: 'production',
    sandbox_outcome: 'standard',
  })
})
