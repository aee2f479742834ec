import { describe, expect, test } from 'vitest'
import {
  buildBankAccountBody,
  createAccountNumber,
  type LinkedPaykey,
  linkBankAccount,
  linkByPlaid,
  sendLinkRequest,
} from '@/tests/sandbox/link-bank-account'
import { createTestCustomer, findAccountWithConfiguration } from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

const fullTokenPattern = /^[0-9a-f]{8}\.02\.[0-9a-f]{64}$/

async function makeAccountAndCustomer(overrides: Record<string, unknown> = {}) {
  const account = await findAccountWithConfiguration(client(), {
    allow_data_unmask: true,
    allow_paykey_verification_skip: false,
  })
  return { account, customer: await createTestCustomer(client(), account, overrides) }
}

const readPaykey = async (id: string) =>
  (await client().ask(`/v1/paykeys/${id}`)).json.data as LinkedPaykey
const readUnmaskedPaykey = async (id: string) =>
  (await client().ask(`/v1/paykeys/${id}/unmasked`)).json.data as LinkedPaykey
const advanceClock = (seconds: number) => client().control('clock', { advance_seconds: seconds })
const toStatusAndReferences = (answer: {
  status: number
  json: { error?: Record<string, unknown> }
}) => {
  const errorItems = answer.json.error?.items as { reference: string }[] | undefined
  return [answer.status, errorItems?.map((item) => item.reference)]
}

describe('a bank account linked by its numbers', () => {
  test('is returned with the full token once, and masked in every later read', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const account_number = createAccountNumber()
    const bankAccountOverrides = {
      account_number,
      metadata: { from: 'portal' },
      external_id: `ref-${account_number}`,
    }
    const linkedPaykey = await linkBankAccount(client(), account, customer.id, bankAccountOverrides)
    const lastFour = account_number.slice(-4)
    expect(linkedPaykey).toMatchObject({
      ...{
        status: 'active',
        source: 'bank_account',
        customer_id: customer.id,
        external_id: bankAccountOverrides.external_id,
        metadata: bankAccountOverrides.metadata,
      },
      paykey: expect.stringMatching(fullTokenPattern),
      ...{
        label: `JPMORGAN CHASE BANK, NA - *${lastFour}`,
        institution_name: 'JPMORGAN CHASE BANK, NA',
      },
      bank_data: {
        routing_number: '021000021',
        account_number: `*****${lastFour}`,
        account_type: 'checking',
      },
      balance: { status: 'pending', account_balance: null, updated_at: null },
      ...{
        unblock_eligible: null,
        config: { sandbox_outcome: 'standard', processing_method: 'inline' },
      },
    })
    const maskedToken = `${linkedPaykey.paykey.slice(0, 3)}***.02.******${linkedPaykey.paykey.slice(-3)}`
    expect(await readPaykey(linkedPaykey.id)).toEqual({ ...linkedPaykey, paykey: maskedToken })
    expect((await client().ask(`/v1/paykeys/${linkedPaykey.id}/reveal`)).json.data).toEqual(
      linkedPaykey,
    )
    expect(await readUnmaskedPaykey(linkedPaykey.id)).toEqual({
      ...linkedPaykey,
      bank_data: { ...linkedPaykey.bank_data, account_number },
    })
    const expectedJournalEffect = {
      operation: 'bridge.bank_account',
      account_id: account.id,
      from: '',
      to: 'active',
    }
    expect(await client().effects(linkedPaykey.id)).toMatchObject([expectedJournalEffect])
  })

  test('sends events with the full token and without the account number', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const linkedPaykey = await linkBankAccount(client(), account, customer.id)
    const events = (await client().control(`events?object_id=${linkedPaykey.id}`)).data
    expect(events.map((event) => event.type)).toEqual(['paykey.created.v1', 'paykey.event.v1'])
    expect(events.map((event) => event.payload)).toEqual(
      Array(2).fill(expect.objectContaining({ account_id: account.id, data: linkedPaykey })),
    )
  })

  test('at an unknown bank has no institution name', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const linkedPaykey = await linkBankAccount(client(), account, customer.id, {
      routing_number: '011401533',
      account_number: '00004321',
    })
    expect(linkedPaykey).toMatchObject({ institution_name: null, label: 'BANK - *4321' })
  })

  test.each([
    ['routing_number', { routing_number: '021000022' }],
    ['routing_number', { routing_number: '12345678' }],
    ['routing_number', { routing_number: '000000000' }],
    ['account_number', { account_number: '123' }],
    ['account_number', { account_number: '1'.repeat(18) }],
    ['account_number', { account_number: '12 34' }],
    ['account_type', { account_type: 'loan' }],
    ['customer_id', { customer_id: 'nobody' }],
    ['customer_id', { customer_id: '01890000-0000-7000-8000-000000000000' }],
    ['external_id', { external_id: '' }],
    ['config.sandbox_outcome', { config: { sandbox_outcome: 'verified' } }],
    ['config.processing_method', { config: { processing_method: 'later' } }],
    [
      'metadata',
      {
        metadata: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, 'v'])),
      },
    ],
    ['metadata.note', { metadata: { note: 'x'.repeat(41) } }],
    ['nickname', { nickname: 'Main' }],
  ])('is rejected with an item for %s: %j', async (field, overrides) => {
    const { account, customer } = await makeAccountAndCustomer()
    expect(
      toStatusAndReferences(
        await sendLinkRequest(client(), account, buildBankAccountBody(customer.id, overrides)),
      ),
    ).toEqual([422, [field]])
  })

  test('requires the account header and a customer of that account', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const body = buildBankAccountBody(customer.id)
    expect(toStatusAndReferences(await client().post('/v1/bridge/bank_account', body))).toEqual([
      400,
      ['Service-Account-Id'],
    ])
    const accounts = (await client().ask('/v1/accounts?status=active')).json.data as {
      id: string
    }[]
    const otherAccountId = accounts.find(({ id }) => id !== account.id)?.id ?? ''
    expect(
      toStatusAndReferences(
        await client().post('/v1/bridge/bank_account', body, {
          'service-account-id': otherAccountId,
        }),
      ),
    ).toEqual([422, ['customer_id']])
  })

  test('cannot use the external ID of another paykey of the account', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const external_id = `twice-${createAccountNumber()}`
    await linkBankAccount(client(), account, customer.id, { external_id })
    expect(
      toStatusAndReferences(
        await sendLinkRequest(
          client(),
          account,
          buildBankAccountBody(customer.id, { external_id }),
        ),
      ),
    ).toEqual([422, ['external_id']])
  })

  test.each([['rejected'], ['inactive']])(
    'is rejected without items if the customer is %s, whatever the requested outcome',
    async (status) => {
      const { account, customer } = await makeAccountAndCustomer()
      const {
        id: _id,
        status: _status,
        created_at: _created,
        updated_at: _updated,
        type: _type,
        ...rest
      } = customer
      const customerUpdateBody = {
        name: rest.name,
        email: rest.email,
        phone: rest.phone,
        device: { ip_address: '198.51.100.23' },
        status,
      }
      expect((await client().put(`/v1/customers/${customer.id}`, customerUpdateBody)).status).toBe(
        200,
      )
      const linkResponse = await sendLinkRequest(
        client(),
        account,
        buildBankAccountBody(customer.id, { config: { sandbox_outcome: 'active' } }),
      )
      expect([...toStatusAndReferences(linkResponse), linkResponse.json.error?.detail]).toEqual([
        422,
        undefined,
        expect.stringContaining(status),
      ])
    },
  )
})

describe('aggregators', () => {
  test.each([
    ['plaid', 'plaid_token', 'plaid'],
    ['quiltt', 'quiltt_token', 'quiltt'],
    ['speedchex', 'speedchex_token', 'provider'],
  ])('%s: the same token always refers to the same bank account', async (name, field, source) => {
    const { account, customer } = await makeAccountAndCustomer()
    const linkBody = { customer_id: customer.id, [field]: `token-${createAccountNumber()}` }
    const [one, other] = [
      (await client().post(`/v1/bridge/${name}`, linkBody, account.headers)).json
        .data as LinkedPaykey,
      (await client().post(`/v1/bridge/${name}`, linkBody, account.headers)).json
        .data as LinkedPaykey,
    ]
    expect(one).toMatchObject({
      source,
      status: 'active',
      paykey: expect.stringMatching(fullTokenPattern),
    })
    expect(one.id).not.toBe(other.id)
    expect((await readUnmaskedPaykey(one.id)).bank_data).toEqual(
      (await readUnmaskedPaykey(other.id)).bank_data,
    )
    expect(
      toStatusAndReferences(
        await client().post(`/v1/bridge/${name}`, { customer_id: customer.id }, account.headers),
      ),
    ).toEqual([422, [field]])
  })

  test('a tokenized account number is linked like a real one', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const { account_number: tan, ...body } = buildBankAccountBody(customer.id)
    const tanResponse = await client().post('/v1/bridge/tan', { ...body, tan }, account.headers)
    expect([tanResponse.status, tanResponse.json.data]).toEqual([
      201,
      expect.objectContaining({ source: 'tan', status: 'active' }),
    ])
    expect(
      (await readUnmaskedPaykey((tanResponse.json.data as LinkedPaykey).id)).bank_data
        .account_number,
    ).toBe(tan)
  })

  test('a balance from an aggregator is available after three seconds', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const linkedPaykey = await linkByPlaid(client(), account, customer.id)
    expect(linkedPaykey.balance).toEqual({
      status: 'pending',
      account_balance: null,
      updated_at: null,
    })
    await advanceClock(4)
    expect((await readPaykey(linkedPaykey.id)).balance).toEqual({
      ...{
        status: 'completed',
        account_balance: expect.any(Number),
        updated_at: expect.any(String),
      },
    })
  })
})
