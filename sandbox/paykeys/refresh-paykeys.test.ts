import { describe, expect, test } from 'vitest'
import {
  createAccountNumber,
  type LinkedPaykey,
  linkBankAccount,
  linkByPlaid,
} from '@/tests/sandbox/link-bank-account'
import { createTestCustomer, findAccountWithConfiguration } from '@/tests/sandbox/own-customer'
import { buildPayoutBody } from '@/tests/sandbox/own-paykey'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

type PaykeyReviewResponse = {
  verification_details: {
    id: string
    decision: string
    messages: Record<string, string>
    created_at: string
    updated_at: string
    breakdown: {
      name_match?: Record<string, unknown> & {
        codes: string[]
        correlation_score: number
        names_on_account: string[]
      }
      account_validation?: Record<string, unknown> & { codes: string[] }
    }
  }
}

const readPaykey = async (id: string) =>
  (await client().ask(`/v1/paykeys/${id}`)).json.data as LinkedPaykey
const readEvidence = async (id: string) =>
  ((await client().ask(`/v1/paykeys/${id}/review`)).json.data as PaykeyReviewResponse)
    .verification_details
const advanceClock = (seconds: number) => client().control('clock', { advance_seconds: seconds })
const refreshPaykey = (id: string, refreshOperation = 'refresh_review') =>
  client().put(`/v1/paykeys/${id}/${refreshOperation}`, {})
const countEvents = async (id: string) =>
  (await client().control(`events?object_id=${id}`)).data.length

async function makeAccountAndCustomer(name = 'Amara Okafor') {
  const account = await findAccountWithConfiguration(client(), { allow_data_unmask: true })
  const customer = await createTestCustomer(client(), account, { name })
  const renameCustomer = (newName: string) =>
    client().put(`/v1/customers/${customer.id}`, {
      ...{
        name: newName,
        email: customer.email,
        phone: '+15125550123',
        device: { ip_address: '198.51.100.23' },
        status: 'verified',
      },
    })
  return { account, customer, rename: renameCustomer }
}

describe('the evidence of a verification', () => {
  test('is about the account holder if an aggregator reported one', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const expectedFindingByOutcome = {
      standard: ['accept', 'I810'],
      active: ['accept', 'I810'],
      review: ['review', 'BV810'],
      rejected: ['reject', 'R810'],
    }
    for (const [sandbox_outcome, [decision, code = '']] of Object.entries(
      expectedFindingByOutcome,
    )) {
      const { id } = await linkByPlaid(client(), account, customer.id, {
        config: { sandbox_outcome },
      })
      const { messages, breakdown, ...whole } = await readEvidence(id)
      expect(whole.decision).toBe(decision)
      expect(Object.keys(messages)).toEqual([code])
      expect(breakdown).toEqual({
        name_match: expect.objectContaining({
          decision,
          codes: [code],
          reason: messages[code],
          customer_name: 'Amara Okafor',
        }),
      })
    }
  })

  test('is about the account itself if only its numbers are known', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const expectedAccountFindingByOutcome = {
      standard: ['accept', 'I820'],
      review: ['review', 'BV820'],
      rejected: ['reject', 'R820'],
    }
    for (const [sandbox_outcome, [decision, code = '']] of Object.entries(
      expectedAccountFindingByOutcome,
    )) {
      const { id } = await linkBankAccount(client(), account, customer.id, {
        config: { sandbox_outcome },
      })
      const { breakdown, messages } = await readEvidence(id)
      expect(breakdown).toEqual({
        account_validation: { decision, codes: [code, 'I821'], reason: messages[code] },
      })
    }
  })
})

describe('refresh_review', () => {
  test('returns the paykey unchanged and renews the evidence when the clock advances', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const linkedPaykey = await linkByPlaid(client(), account, customer.id)
    await advanceClock(10)
    const [before, seen] = [await readEvidence(linkedPaykey.id), await readPaykey(linkedPaykey.id)]
    expect((await refreshPaykey(linkedPaykey.id)).json.data).toEqual(seen)
    const eventCountBefore = await countEvents(linkedPaykey.id)
    await advanceClock(9)
    const evidenceAfter = await readEvidence(linkedPaykey.id)
    expect({ ...evidenceAfter, updated_at: before.updated_at }).toEqual(before)
    expect(Date.parse(evidenceAfter.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
    expect([
      (await readPaykey(linkedPaykey.id)).status,
      await countEvents(linkedPaykey.id),
    ]).toEqual(['active', eventCountBefore + 1])
  })

  test('repeated before its result changes nothing', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const { id } = await linkByPlaid(client(), account, customer.id)
    await refreshPaykey(id)
    const eventCountBefore = await countEvents(id)
    expect((await refreshPaykey(id)).status).toBe(202)
    const effectCount = (await client().effects(id)).length
    expect([await countEvents(id), effectCount]).toEqual([eventCountBefore, 2])
  })

  test('sends an active paykey to review if the customer’s name changed, and reactivates it if the name matches again', async () => {
    const { account, customer, rename } = await makeAccountAndCustomer()
    const { id } = await linkByPlaid(client(), account, customer.id)
    await rename('Bogdan Lindqvist')
    await refreshPaykey(id)
    await advanceClock(9)
    expect(await readPaykey(id)).toMatchObject({
      status: 'review',
      status_details: { reason: 'require_review', source: 'watchtower' },
    })
    expect((await readEvidence(id)).breakdown.name_match).toMatchObject({
      ...{
        names_on_account: ['Amara Okafor'],
        customer_name: 'Bogdan Lindqvist',
        matched_name: null,
        codes: ['BV811'],
      },
    })
    await rename('AMARA OKÁFOR')
    await refreshPaykey(id)
    await advanceClock(9)
    expect(await readPaykey(id)).toMatchObject({
      status: 'active',
      status_details: { reason: 'ok', source: 'system' },
    })
    expect((await readEvidence(id)).breakdown.name_match).toMatchObject({
      matched_name: 'Amara Okafor',
      correlation_score: 1,
    })
  })

  test('keeps the configured outcome', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const { id } = await linkBankAccount(client(), account, customer.id, {
      config: { sandbox_outcome: 'review' },
    })
    await refreshPaykey(id)
    await advanceClock(9)
    expect((await readPaykey(id)).status).toBe('review')
  })

  test('does not change the status of a paykey that was canceled since', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const { id } = await linkByPlaid(client(), account, customer.id)
    await refreshPaykey(id)
    await client().put(`/v1/paykeys/${id}/cancel`, {})
    const cancelledPaykey = await readPaykey(id)
    await advanceClock(60)
    expect(await readPaykey(id)).toEqual(cancelledPaykey)
  })

  test('does not override a person’s later decision, and can be repeated', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const { id } = await linkBankAccount(client(), account, customer.id, {
      config: { sandbox_outcome: 'review' },
    })
    await refreshPaykey(id)
    await client().patch(`/v1/paykeys/${id}/review`, { status: 'active' })
    const approvedPaykey = await readPaykey(id)
    await advanceClock(60)
    expect(await readPaykey(id)).toEqual(approvedPaykey)
    await refreshPaykey(id)
    await advanceClock(9)
    expect((await readPaykey(id)).status).toBe('review')
  })
})

describe('refresh_balance', () => {
  test('returns the paykey, sets the balance to pending, and completes with another amount', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const { id } = await linkByPlaid(client(), account, customer.id)
    await advanceClock(4)
    const paykeyBefore = await readPaykey(id)
    const response = await refreshPaykey(id, 'refresh_balance')
    expect([response.status, response.json.data]).toEqual([202, paykeyBefore])
    expect((await readPaykey(id)).balance).toEqual({ ...paykeyBefore.balance, status: 'pending' })
    await advanceClock(4)
    const { balance } = await readPaykey(id)
    expect(balance.status).toBe('completed')
    expect(balance.account_balance).not.toBe(paykeyBefore.balance.account_balance)
    expect(Date.parse(balance.updated_at ?? '')).toBeGreaterThan(
      Date.parse(paykeyBefore.balance.updated_at ?? ''),
    )
  })

  test('fails for bank details, which have no access to the account', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const { id } = await linkBankAccount(client(), account, customer.id)
    await refreshPaykey(id, 'refresh_balance')
    await advanceClock(4)
    expect((await readPaykey(id)).balance).toEqual({
      status: 'failed',
      account_balance: null,
      updated_at: expect.any(String),
    })
  })
})

describe('payments that wait for a paykey in review', () => {
  const linkPaykeyWithHeldPayout = async (
    link: (body: Record<string, unknown>) => Promise<LinkedPaykey>,
    headers: Record<string, string>,
  ) => {
    const paykey = await link({ config: { sandbox_outcome: 'review' } })
    const payoutResponse = await client().post(
      '/v1/payouts',
      buildPayoutBody(paykey.paykey),
      headers,
    )
    await advanceClock(10)
    const { id } = payoutResponse.json.data as { id: string }
    const readPayout = async () =>
      (await client().ask(`/v1/payouts/${id}`)).json.data as LinkedPaykey
    expect(await readPayout()).toMatchObject({
      status: 'on_hold',
      status_details: { reason: 'watchtower_review' },
    })
    return { paykey, state: readPayout }
  }

  test.each([
    ['approved', 'active', 'created'],
    ['rejected', 'rejected', 'failed'],
  ])('continue or fail when it is %s', async (_word, status, expected) => {
    const { account, customer } = await makeAccountAndCustomer()
    const { paykey, state } = await linkPaykeyWithHeldPayout(
      (body) => linkBankAccount(client(), account, customer.id, body),
      account.headers,
    )
    await client().patch(`/v1/paykeys/${paykey.id}/review`, { status })
    expect((await state()).status).toBe(expected)
  })

  test('fail if it is canceled or its customer deleted', async () => {
    for (const endingAction of ['cancel', 'delete']) {
      const { account, customer } = await makeAccountAndCustomer()
      const { paykey, state } = await linkPaykeyWithHeldPayout(
        (body) => linkBankAccount(client(), account, customer.id, body),
        account.headers,
      )
      if (endingAction === 'cancel') await client().put(`/v1/paykeys/${paykey.id}/cancel`, {})
      else
        expect(
          (await client().ask(`/v1/customers/${customer.id}`, { method: 'DELETE' })).status,
        ).toBe(200)
      expect([(await readPaykey(paykey.id)).status, (await state()).status]).toEqual([
        'inactive',
        'failed',
      ])
    }
  })
})

test('two links of one bank account are two paykeys with separate evidence', async () => {
  const { account, customer } = await makeAccountAndCustomer()
  const account_number = createAccountNumber()
  const paykeyIds: string[] = []
  for (let count = 0; count < 2; count++)
    paykeyIds.push((await linkBankAccount(client(), account, customer.id, { account_number })).id)
  const [first, second] = await Promise.all(paykeyIds.map(readEvidence))
  expect(first?.id).not.toBe(second?.id)
})
