import { afterAll, expect, test } from 'vitest'
import { createAccountNumber, linkBankAccount } from '@/tests/sandbox/link-bank-account'
import { createTestCustomer, findAccountWithConfiguration } from '@/tests/sandbox/own-customer'
import { buildChargeBody, createTestPaykey } from '@/tests/sandbox/own-paykey'
import { buildMultipartBody } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { type ReceivedWebhook, WebhookReceiver } from '@/tests/sandbox/webhook-receiver'

const secret = `whsec_${Buffer.alloc(32, 4).toString('base64')}`
const receiver = await WebhookReceiver.open(secret)
afterAll(() => receiver.close())
const { client } = startSandboxPerFile(...receiver.flags)

type CreatedObject = { id: string; status: string }

const listEventTypes = (id: string) => receiver.about(id).map(({ event }) => event.event_type)
const findLastEvent = (id: string): ReceivedWebhook['event'] | undefined =>
  receiver.about(id).at(-1)?.event
const advanceClock = (seconds: number) => client().control('clock', { advance_seconds: seconds })

async function createObject(
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<CreatedObject> {
  const response = await client().post(path, body, headers)
  expect([response.status, response.json.error]).toEqual([201, undefined])
  return response.json.data as CreatedObject
}

test('a return with R29 sends events for the charge and every paykey on that bank account', async () => {
  const account = await findAccountWithConfiguration(client())
  const account_number = createAccountNumber()
  const customers = [
    await createTestCustomer(client(), account),
    await createTestCustomer(client(), account),
  ]
  const [charged, shared] = await Promise.all(
    customers.map(({ id }) => linkBankAccount(client(), account, id, { account_number })),
  )
  const config = { balance_check: 'disabled', sandbox_outcome: 'failed_not_authorized' }
  const charge = await createObject(
    '/v1/charges',
    buildChargeBody(charged?.paykey ?? '', { config }),
    account.headers,
  )
  await advanceClock(600)
  await expect
    .poll(() => findLastEvent(charge.id)?.data)
    .toMatchObject({ status: 'failed', status_details: { code: 'R29' } })
  for (const paykey of [charged, shared]) {
    await expect
      .poll(() => findLastEvent(paykey?.id ?? '')?.data)
      .toMatchObject({ status: 'blocked', unblock_eligible: true })
  }
  expect(listEventTypes(charge.id).slice(0, 2)).toEqual(['charge.created.v1', 'charge.event.v1'])
  const { data, account_id } = findLastEvent(charge.id) ?? {}
  expect([account_id, data?.config]).toEqual([account.id, { balance_check: 'disabled' }])
})

test('events contain the full token of a paykey and a masked customer', async () => {
  const account = await findAccountWithConfiguration(client())
  const customer = await createTestCustomer(client(), account, {
    compliance_profile: { ssn: '900-12-3456', dob: '1984-02-29' },
  })
  const account_number = createAccountNumber()
  const paykey = await linkBankAccount(client(), account, customer.id, { account_number })
  await expect
    .poll(() => listEventTypes(paykey.id))
    .toEqual(['paykey.created.v1', 'paykey.event.v1'])
  expect(findLastEvent(paykey.id)?.data.paykey).toBe(paykey.paykey)
  expect(paykey.paykey).toMatch(/^[0-9a-f]{8}\.\d\d\.[0-9a-f]{64}$/)
  expect(findLastEvent(customer.id)?.data.compliance_profile).toEqual({
    ssn: '***-**-****',
    dob: '****-**-**',
  })
  expect(
    receiver.received.filter(
      ({ body }) => body.includes('900-12-3456') || body.includes(account_number),
    ),
  ).toEqual([])
})

test('a refund sends events for the payout and the charge, and an upload one with its document', async () => {
  const paykey = await createTestPaykey(client())
  const config = { balance_check: 'disabled', sandbox_outcome: 'paid' }
  const charge = await createObject(
    '/v1/charges',
    buildChargeBody(paykey.token, { config }),
    paykey.headers,
  )
  await advanceClock(600)
  await expect.poll(() => findLastEvent(charge.id)?.data.status).toBe('paid')
  const refund = await createObject(`/v1/charges/${charge.id}/refund`, {}, paykey.headers)
  await expect
    .poll(() => listEventTypes(refund.id).slice(0, 2))
    .toEqual(['payout.created.v1', 'payout.event.v1'])
  await expect
    .poll(() => findLastEvent(charge.id)?.data)
    .toMatchObject({ status: 'paid', has_refund: true })
  expect(findLastEvent(refund.id)?.data).toMatchObject({ is_refund: true, config: {} })
  const { body, headers } = buildMultipartBody('proof.pdf', Buffer.from('%PDF-1.4\n%%EOF\n'))
  const uploadRequestOptions = { method: 'POST', body, headers: { ...headers, ...paykey.headers } }
  expect(
    (await client().ask(`/v1/charges/${charge.id}/authorization`, uploadRequestOptions)).status,
  ).toBe(201)
  await expect
    .poll(() => findLastEvent(charge.id)?.data.documents)
    .toMatchObject([{ document_name: 'proof.pdf' }])
})

test('a resubmission sends events for the new payment and the original', async () => {
  const paykey = await createTestPaykey(client())
  const config = { balance_check: 'disabled', sandbox_outcome: 'failed_insufficient_funds' }
  const charge = await createObject(
    '/v1/charges',
    buildChargeBody(paykey.token, { config }),
    paykey.headers,
  )
  await advanceClock(600)
  const resubmittedCharge = await createObject(
    `/v1/charges/${charge.id}/resubmit`,
    {},
    paykey.headers,
  )
  await expect
    .poll(() => listEventTypes(resubmittedCharge.id).slice(0, 2))
    .toEqual(['charge.created.v1', 'charge.event.v1'])
  await expect
    .poll(() => findLastEvent(charge.id)?.data)
    .toMatchObject({ status: 'failed', has_resubmit: true })
})

test('a settlement sends events for its funding event from creation to end', async () => {
  const paykey = await createTestPaykey(client())
  const config = { balance_check: 'disabled', sandbox_outcome: 'paid' }
  await createObject('/v1/charges', buildChargeBody(paykey.token, { config }), paykey.headers)
  await advanceClock(7 * 86_400)
  const listReceivedFundingEvents = () =>
    receiver.received.filter(
      ({ event }) =>
        event.account_id === paykey.account_id && event.event_type.startsWith('funding'),
    )
  await expect.poll(() => listReceivedFundingEvents().at(-1)?.event.data.status).toBe('paid')
  expect(listReceivedFundingEvents()[0]?.event.event_type).toBe('funding_event.created.v1')
})

test('every received event is verified and has a unique ID', () => {
  expect(receiver.received.filter(({ verified }) => !verified)).toEqual([])
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length)
  expect(new Set(receiver.received.map(({ event }) => event.event_id)).size).toBe(
    receiver.received.length,
  )
})
