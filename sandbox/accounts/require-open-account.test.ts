import { describe, expect, test } from 'vitest'
import {
  buildBankAccountBody,
  linkBankAccount,
  sendLinkRequest,
} from '@/tests/sandbox/link-bank-account'
import {
  makeAccount,
  type ServiceObject,
  sendComplianceDecision,
} from '@/tests/sandbox/make-account'
import { buildCustomerBody, createTestCustomer } from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

const toIdAndAccountHeader = ({ id }: ServiceObject) => ({
  id,
  headers: { 'service-account-id': `acct_${id}` },
})
const simulateAccountStatus = (id: string, finalStatus: string) =>
  client().ask(`/v1/accounts/${id}/simulate?final_status=${finalStatus}`, { method: 'POST' })

describe.each([
  ['rejected', 'onboarding'],
  ['inactive', 'active'],
])('an account closed as %s', (status, stage) => {
  test('accepts no new customers or bank accounts and keeps the existing ones', async () => {
    const account = toIdAndAccountHeader(await makeAccount(client()))
    const customer = await createTestCustomer(client(), account)
    const paykey = await linkBankAccount(client(), account, customer.id)
    await simulateAccountStatus(account.id, stage)
    expect(
      (await sendComplianceDecision(client(), { kind: 'account', id: account.id, status })).status,
    ).toBe(200)
    const refusedResponses = [
      await client().post('/v1/customers', buildCustomerBody(), account.headers),
      await sendLinkRequest(client(), account, buildBankAccountBody(customer.id)),
      await client().post(
        '/v1/bridge/plaid',
        { customer_id: customer.id, plaid_token: 'processor-1' },
        account.headers,
      ),
      await client().post('/v1/bridge/initialize', { customer_id: customer.id }, account.headers),
    ]
    for (const { status: code, json } of refusedResponses) {
      expect(json.error).toMatchObject({
        status: 422,
        detail: expect.stringContaining(`An account in status ${status} `),
      })
      expect([code, json.error?.items]).toEqual([422, undefined])
    }
    const customerSummaries = (await client().ask('/v1/customers', { headers: account.headers }))
      .json.data as ServiceObject[]
    expect(customerSummaries.map(({ id }) => id)).toEqual([customer.id])
    expect((await client().ask(`/v1/paykeys/${paykey.id}`)).status).toBe(200)
    const { email, name, phone, device } = buildCustomerBody({ name: 'Amara Diallo' })
    const renameResponse = await client().put(`/v1/customers/${customer.id}`, {
      email,
      name,
      phone,
      device,
      status: 'verified',
    })
    expect(renameResponse.json.data).toMatchObject({ name: 'Amara Diallo' })
  })
})

test('an account before onboarding accepts customers and bank accounts', async () => {
  const account = toIdAndAccountHeader(await makeAccount(client()))
  const customerBeforeOnboarding = await createTestCustomer(client(), account)
  expect(
    (await sendLinkRequest(client(), account, buildBankAccountBody(customerBeforeOnboarding.id)))
      .status,
  ).toBe(201)
  await simulateAccountStatus(account.id, 'onboarding')
  const customerDuringReview = await createTestCustomer(client(), account)
  expect(
    (await sendLinkRequest(client(), account, buildBankAccountBody(customerDuringReview.id)))
      .status,
  ).toBe(201)
})
