import { describe, expect, test } from 'vitest'
import {
  createBridgeSession,
  requestBridgePage,
  sendBankChoice,
} from '@/tests/sandbox/bridge-session'
import { createAccountNumber, linkBankAccount } from '@/tests/sandbox/link-bank-account'
import { createTestCustomer } from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { getPaymentDate } from '@/tests/sandbox/test-time'

const { client, process } = startSandboxPerFile()

const makeBankChoice = (accountKind: string) => ({
  way: 'bank',
  bank: '929710751',
  account: accountKind,
})
const makeManualAccountChoice = (overrides: Record<string, unknown> = {}) => ({
  ...{
    way: 'typed',
    routing_number: '021000021',
    account_number: createAccountNumber(),
    account_type: 'checking',
  },
  ...overrides,
})
const sendChoice = (token: string, choice: unknown) => sendBankChoice(process(), token, choice)
const fetchBridgePage = (token: string) =>
  requestBridgePage(process(), token, 'http://localhost:3000')
const listPaykeys = async (customerId: string) =>
  (await client().ask(`/v1/paykeys?customer_id=${customerId}`)).json.data as {
    id: string
    status: string
    external_id: string | null
  }[]

describe('a choice', () => {
  test('creates a paykey with events and a journal row, and returns it as in the success callback', async () => {
    const { account, customer, token } = await createBridgeSession(client(), {
      external_id: `page-${createAccountNumber()}`,
    })
    const { status, json } = await sendChoice(token, makeBankChoice('checking'))
    expect([status, json]).toEqual([
      201,
      {
        meta: expect.any(Object),
        response_type: 'object',
        data: {
          ...{
            id: expect.any(String),
            customer_id: customer.id,
            source: 'mx',
            status: 'active',
            institution_name: 'Gringotts',
          },
          paykey: expect.stringMatching(/^[0-9a-f]{8}\.02\.[0-9a-f]{64}$/),
          label: expect.stringMatching(/^Gringotts - \*\d{4}$/),
          bank_data: {
            routing_number: '929710751',
            account_number: expect.stringMatching(/^\*{5}\d{4}$/),
            account_type: 'checking',
          },
          ...{ created_at: expect.any(String), updated_at: expect.any(String) },
        },
      },
    ])
    const paykeyId = String(json.data?.id)
    expect(await client().effects(paykeyId)).toMatchObject([
      { operation: 'bridge.page', account_id: account.id, from: '', to: 'active' },
    ])
    const events = (await client().control(`events?object_id=${paykeyId}`)).data
    expect(events.map(({ type }) => type)).toEqual(['paykey.created.v1', 'paykey.event.v1'])
    expect((await listPaykeys(customer.id))[0]?.external_id).toMatch(/^page-/)
  })

  test.each([
    ['checking', 'active', 'checking'],
    ['savings', 'active', 'savings'],
    ['shared', 'review', 'checking'],
    ['stranger', 'rejected', 'savings'],
  ])('of the account %s ends in %s', async (account, status, account_type) => {
    const { token } = await createBridgeSession(client())
    expect((await sendChoice(token, makeBankChoice(account))).json.data).toMatchObject({
      status,
      bank_data: { account_type },
    })
  })

  test('of typed numbers creates a paykey with the source bank_account', async () => {
    const { token } = await createBridgeSession(client())
    const choice = makeManualAccountChoice({ account_type: 'savings' })
    const expectedPaykey = {
      status: 'active',
      source: 'bank_account',
      bank_data: { account_type: 'savings', routing_number: '021000021' },
    }
    expect((await sendChoice(token, choice)).json.data).toMatchObject(expectedPaykey)
  })

  test('sent twice, even at once, creates one paykey', async () => {
    const { customer, token } = await createBridgeSession(client())
    const choice = makeManualAccountChoice()
    const [first, second] = await Promise.all([
      sendChoice(token, choice),
      sendChoice(token, choice),
    ])
    expect([first.status, second.status, second.json.data]).toEqual([201, 201, first.json.data])
    expect((await sendChoice(token, choice)).json.data).toEqual(first.json.data)
    expect(await listPaykeys(customer.id)).toHaveLength(1)
    expect(await client().effects(String(first.json.data?.id))).toHaveLength(1)
  })

  test('after a successful one is rejected, and so is the page', async () => {
    const { customer, token } = await createBridgeSession(client(), {
      external_id: `used-${createAccountNumber()}`,
    })
    await sendChoice(token, makeBankChoice('shared'))
    expect((await sendChoice(token, makeBankChoice('checking'))).status).toBe(409)
    expect((await fetchBridgePage(token)).status).toBe(409)
    expect(await listPaykeys(customer.id)).toMatchObject([{ status: 'review' }])
  })

  test('after a rejected one is a new attempt, which receives the external ID', async () => {
    const external_id = `again-${createAccountNumber()}`
    const { customer, token } = await createBridgeSession(client(), { external_id })
    await sendChoice(token, makeBankChoice('stranger'))
    expect((await fetchBridgePage(token)).status).toBe(200)
    expect((await sendChoice(token, makeBankChoice('checking'))).status).toBe(201)
    const statusAndReferencePairs = (await listPaykeys(customer.id)).map(
      ({ status, external_id: reference }) => [status, reference],
    )
    expect(statusAndReferencePairs).toEqual(
      expect.arrayContaining([
        ['rejected', null],
        ['active', external_id],
      ]),
    )
  })

  test('has the outcome of the token, and the page shows it', async () => {
    const { token } = await createBridgeSession(client(), { config: { sandbox_outcome: 'review' } })
    const bridgePageText = await (await fetchBridgePage(token)).text()
    expect(bridgePageText).toContain('outcome “review”')
    expect(bridgePageText).not.toContain('Will be rejected.')
    expect((await sendChoice(token, makeBankChoice('stranger'))).status).toBe(422)
    expect((await sendChoice(token, makeBankChoice('checking'))).json.data?.status).toBe('review')
  })

  test('in the background is pending until the clock advances', async () => {
    const { customer, token } = await createBridgeSession(client(), {
      config: { processing_method: 'background' },
    })
    expect((await sendChoice(token, makeBankChoice('checking'))).json.data?.status).toBe('pending')
    await client().control('clock', { advance_seconds: 20 })
    expect(await listPaykeys(customer.id)).toMatchObject([{ status: 'active' }])
  })

  test.each([
    ['routing_number', makeManualAccountChoice({ routing_number: '021000022' })],
    ['account_number', makeManualAccountChoice({ account_number: '123' })],
    ['account_type', makeManualAccountChoice({ account_type: 'loan' })],
    ['bank', { ...makeBankChoice('checking'), bank: '111111111' }],
    ['account', makeBankChoice('gold')],
    ['way', { way: 'guess' }],
    ['note', makeManualAccountChoice({ note: 'x' })],
  ])('is rejected with an item for %s', async (reference, choice) => {
    const { customer, token } = await createBridgeSession(client())
    const { status, json } = await sendChoice(token, choice)
    expect([status, json.error?.items]).toEqual([422, [expect.objectContaining({ reference })]])
    expect(await listPaykeys(customer.id)).toEqual([])
  })

  test('of a returned bank account is rejected, and of another one is not', async () => {
    const { account, token } = await createBridgeSession(client())
    const otherCustomer = await createTestCustomer(client(), account)
    const account_number = createAccountNumber()
    const linkedPaykey = await linkBankAccount(client(), account, otherCustomer.id, {
      account_number,
    })
    await client().post(
      '/v1/charges',
      {
        ...{
          paykey: linkedPaykey.paykey,
          description: 'Dues',
          amount: 500,
          currency: 'USD',
          consent_type: 'internet',
        },
        ...{ payment_date: getPaymentDate(), device: { ip_address: '198.51.100.23' } },
        ...{
          external_id: `r29-${account_number}`,
          config: { balance_check: 'disabled', sandbox_outcome: 'failed_closed_bank_account' },
        },
      },
      account.headers,
    )
    await client().control('clock', { advance_seconds: 86_400 * 6 })
    const newSession = await createBridgeSession(client())
    const refusedResponse = await sendChoice(
      newSession.token,
      makeManualAccountChoice({ account_number }),
    )
    expect([refusedResponse.status, refusedResponse.json.error?.detail]).toEqual([
      422,
      expect.stringContaining('R02'),
    ])
    expect((await sendChoice(newSession.token, makeManualAccountChoice())).status).toBe(201)
    expect((await sendChoice(token, makeManualAccountChoice())).status).toBe(401)
  })
})
