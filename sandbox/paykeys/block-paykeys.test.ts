import { describe, expect, test } from 'vitest'
import {
  buildBankAccountBody,
  createAccountNumber,
  type LinkedPaykey,
  linkBankAccount,
  sendLinkRequest,
} from '@/tests/sandbox/link-bank-account'
import { createTestCustomer, findAccountWithConfiguration } from '@/tests/sandbox/own-customer'
import { buildChargeBody, buildPayoutBody } from '@/tests/sandbox/own-paykey'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

const readPaykey = async (id: string) =>
  (await client().ask(`/v1/paykeys/${id}`)).json.data as LinkedPaykey
const advanceClock = (seconds: number) => client().control('clock', { advance_seconds: seconds })
const unblockPaykey = (id: string, message = 'Allow-listed') =>
  client().patch(`/v1/paykeys/${id}/unblock`, { message })

/**
 * Returns two accounts, each with a new customer, and one account number for both. `link` links the
 * bank account with that number to the customer, so that paykeys in both accounts share one bank
 * account.
 */
async function makeTwoBankAccountHolders() {
  const accounts = [
    await findAccountWithConfiguration(client(), { allow_data_unmask: true }),
    await findAccountWithConfiguration(client(), { allow_data_unmask: false }),
  ]
  const account_number = createAccountNumber()
  const bankAccountHolders = []
  for (const account of accounts) {
    const customer = await createTestCustomer(client(), account)
    bankAccountHolders.push({
      account,
      customer,
      link: (overrides = {}) =>
        linkBankAccount(client(), account, customer.id, { account_number, ...overrides }),
    })
  }
  const [one, other] = bankAccountHolders
  if (!one || !other) throw new Error('two accounts are needed')
  return { one, other, account_number }
}

/**
 * Creates a charge with a forced outcome and returns it after ten minutes on the sandbox's clock.
 * By then the bank has returned the charge, and the return has had its effect on the paykey.
 */
async function createReturnedCharge(
  paykey: LinkedPaykey,
  headers: Record<string, string>,
  sandbox_outcome: string,
) {
  const config = { balance_check: 'disabled', sandbox_outcome }
  const chargeResponse = await client().post(
    '/v1/charges',
    buildChargeBody(paykey.paykey, { config }),
    headers,
  )
  expect(chargeResponse.status).toBe(201)
  await advanceClock(600)
  const { id } = chargeResponse.json.data as { id: string }
  return (await client().ask(`/v1/charges/${id}`)).json.data as {
    status: string
    status_details: { code: string }
  }
}

describe('a return with R29', () => {
  test('blocks every usable paykey on the bank account, in all accounts, and no other one', async () => {
    const { one, other } = await makeTwoBankAccountHolders()
    const [charged, active] = [await one.link(), await other.link()]
    const paykeyInReview = await other.link({ config: { sandbox_outcome: 'review' } })
    const rejectedPaykey = await one.link({ config: { sandbox_outcome: 'rejected' } })
    const cancelledPaykey = await one.link()
    await client().put(`/v1/paykeys/${cancelledPaykey.id}/cancel`, {})
    const otherBankPaykey = await linkBankAccount(client(), one.account, one.customer.id)
    expect(
      await createReturnedCharge(charged, one.account.headers, 'failed_not_authorized'),
    ).toMatchObject({
      status_details: { code: 'R29' },
    })
    for (const { id } of [charged, active, paykeyInReview]) {
      expect(await readPaykey(id)).toMatchObject({
        ...{ status: 'blocked', unblock_eligible: true },
        status_details: { code: 'R29', reason: 'disputed', source: 'customer_dispute' },
      })
      expect((await client().control(`events?object_id=${id}`)).data.at(-1)).toMatchObject({
        type: 'paykey.event.v1',
        payload: { data: { status: 'blocked', unblock_eligible: true } },
      })
    }
    const unchangedPaykeys = [
      await readPaykey(rejectedPaykey.id),
      await readPaykey(cancelledPaykey.id),
      await readPaykey(otherBankPaykey.id),
    ]
    expect(
      unchangedPaykeys.map(({ status, unblock_eligible }) => [status, unblock_eligible]),
    ).toEqual([
      ['rejected', null],
      ['inactive', null],
      ['active', null],
    ])
  })

  test('can be undone once for each paykey', async () => {
    const { one, other } = await makeTwoBankAccountHolders()
    const [charged, bystander] = [await one.link(), await other.link()]
    await createReturnedCharge(charged, one.account.headers, 'failed_not_authorized')
    expect((await unblockPaykey(charged.id)).json.data).toMatchObject({
      ...{ status: 'active', unblock_eligible: null },
      status_details: { source: 'user_action', message: 'Allow-listed', code: null },
    })
    expect((await readPaykey(bystander.id)).status).toBe('blocked')
    await createReturnedCharge(charged, one.account.headers, 'failed_not_authorized')
    expect(await readPaykey(charged.id)).toMatchObject({
      status: 'blocked',
      unblock_eligible: false,
    })
    const secondUnblockResponse = await unblockPaykey(charged.id)
    expect([secondUnblockResponse.status, secondUnblockResponse.json.error?.detail]).toEqual([
      422,
      expect.stringContaining('only once'),
    ])
    expect((await unblockPaykey(bystander.id)).status).toBe(200)
  })

  test('fails a payment with a blocked paykey', async () => {
    const { one } = await makeTwoBankAccountHolders()
    const chargedPaykey = await one.link()
    await createReturnedCharge(chargedPaykey, one.account.headers, 'failed_not_authorized')
    const payoutResponse = await client().post(
      '/v1/payouts',
      buildPayoutBody(chargedPaykey.paykey),
      one.account.headers,
    )
    await advanceClock(30)
    const { id } = payoutResponse.json.data as { id: string }
    expect((await client().ask(`/v1/payouts/${id}`)).json.data).toMatchObject({
      status: 'failed',
      status_details: { reason: 'invalid_paykey', code: 'R29' },
    })
  })
})

describe.each([
  ['R02', 'failed_closed_bank_account', 'closed_bank_account', 'bank_decline'],
  ['R05', 'failed_customer_dispute', 'disputed', 'customer_dispute'],
])('a return with %s', (code, outcome, reason, source) => {
  test('blocks permanently', async () => {
    const { one, other } = await makeTwoBankAccountHolders()
    const [charged, bystander] = [await one.link(), await other.link()]
    await createReturnedCharge(charged, one.account.headers, outcome)
    for (const { id } of [charged, bystander]) {
      const paykey = await readPaykey(id)
      expect(paykey).toMatchObject({
        status: 'blocked',
        unblock_eligible: false,
        status_details: { code, reason, source },
      })
      const response = await unblockPaykey(id)
      expect([response.status, response.json.error?.detail]).toEqual([
        422,
        expect.stringContaining(code),
      ])
    }
  })

  test('makes the block of a paykey by R29 permanent', async () => {
    const { one, other } = await makeTwoBankAccountHolders()
    const [charged, bystander] = [await one.link(), await other.link()]
    const config = {
      balance_check: 'disabled',
      sandbox_outcome: outcome.replace('failed', 'reversed'),
    }
    expect(
      (
        await client().post(
          '/v1/charges',
          buildChargeBody(charged.paykey, { config }),
          one.account.headers,
        )
      ).status,
    ).toBe(201)
    await createReturnedCharge(charged, one.account.headers, 'failed_not_authorized')
    for (const { id } of [charged, bystander]) {
      expect(await readPaykey(id)).toMatchObject({
        status: 'blocked',
        unblock_eligible: false,
        status_details: { code },
      })
      expect((await unblockPaykey(id)).status).toBe(422)
      expect((await client().control(`events?object_id=${id}`)).data.at(-1)).toMatchObject({
        payload: { data: { unblock_eligible: false } },
      })
    }
  })
})

test('a closed bank account stays closed after a later R29', async () => {
  const { one, other, account_number } = await makeTwoBankAccountHolders()
  const returnedPaykey = await one.link()
  const config = { balance_check: 'disabled', sandbox_outcome: 'reversed_not_authorized' }
  const reversedChargeResponse = await client().post(
    '/v1/charges',
    buildChargeBody(returnedPaykey.paykey, { config }),
    one.account.headers,
  )
  await createReturnedCharge(returnedPaykey, one.account.headers, 'failed_closed_bank_account')
  const { id } = reversedChargeResponse.json.data as { id: string }
  expect((await client().ask(`/v1/charges/${id}`)).json.data).toMatchObject({
    status: 'reversed',
    status_details: { code: 'R29' },
  })
  expect(await readPaykey(returnedPaykey.id)).toMatchObject({
    status: 'blocked',
    unblock_eligible: false,
    status_details: { code: 'R02' },
  })
  const linkResponse = await sendLinkRequest(
    client(),
    other.account,
    buildBankAccountBody(other.customer.id, { account_number }),
  )
  expect([linkResponse.status, linkResponse.json.error?.detail]).toEqual([
    422,
    expect.stringContaining('R02'),
  ])
})

test('a returned bank account is rejected with the code, and another number at that bank is not', async () => {
  for (const [code, outcome] of [
    ['R29', 'failed_not_authorized'],
    ['R02', 'failed_closed_bank_account'],
    ['R05', 'failed_customer_dispute'],
  ]) {
    const { one, other, account_number } = await makeTwoBankAccountHolders()
    const paykeyOfReturnedCharge = await one.link()
    await createReturnedCharge(paykeyOfReturnedCharge, one.account.headers, outcome ?? '')
    const refusedLinkResponse = await sendLinkRequest(
      client(),
      other.account,
      buildBankAccountBody(other.customer.id, { account_number }),
    )
    expect([
      refusedLinkResponse.status,
      refusedLinkResponse.json.error?.items,
      refusedLinkResponse.json.error?.detail,
    ]).toEqual([422, undefined, expect.stringContaining(code ?? '')])
    expect(refusedLinkResponse.text).not.toContain(account_number)
    expect(
      (await sendLinkRequest(client(), other.account, buildBankAccountBody(other.customer.id)))
        .status,
    ).toBe(201)
  }
})

test('a return for insufficient funds does not close a bank account', async () => {
  const { one } = await makeTwoBankAccountHolders()
  const charged = await one.link()
  expect(
    await createReturnedCharge(charged, one.account.headers, 'failed_insufficient_funds'),
  ).toMatchObject({
    status_details: { code: 'R01' },
  })
  expect((await one.link()).status).toBe('active')
})
