import { describe, expect, test } from 'vitest'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

type Thing = Record<string, unknown> & { id: string }

const readObject = async (path: string) => {
  const answer = await client().ask(path)
  expect([path, answer.status]).toEqual([path, 200])
  return answer.json.data
}
const list = async (query: string) => (await readObject(`/v1/payments?page_size=1000&${query}`)) as Thing[]

const expectText = (...names: string[]) => Object.fromEntries(names.map((name) => [name, expect.any(String)]))
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const moment = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
const maskedToken = expect.stringMatching(/^[0-9a-f]{3}\*{3}\.02\.\*{6}[0-9a-f]{3}$/)

const shared = {
  id: uuid,
  paykey: maskedToken,
  ...expectText('description', 'external_id'),
  amount: expect.stringMatching(/^\d+$/),
  currency: 'USD',
  payment_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
  device: { ip_address: '**.**.**.**' },
  config: expect.objectContaining({ sandbox_outcome: 'standard' }),
  status: expect.any(String),
  status_details: { ...expectText('message', 'reason', 'source'), changed_at: moment, code: expect.toBeOneOf([null, expect.any(String)]) },
  status_history: expect.any(Array),
  funding_ids: expect.any(Array),
  trace_ids: expect.any(Object),
  ...{ is_resubmit: expect.any(Boolean), has_resubmit: expect.any(Boolean) },
  payment_rail: 'ach',
  customer_details: { id: uuid, ...expectText('name', 'customer_type', 'email', 'phone') },
  paykey_details: {
    id: uuid,
    customer_id: uuid,
    ...expectText('label'),
    balance: expect.toBeOneOf([null, expect.stringMatching(/^\d+$/)]),
  },
  ...{ created_at: moment, updated_at: moment },
  processed_at: expect.toBeOneOf([null, moment]),
  effective_at: expect.toBeOneOf([null, moment]),
  metadata: expect.any(Object),
  related_payments: expect.any(Array),
  documents: expect.any(Array),
}

describe('exactly the fields of the interface document', () => {
  test('are in payouts and charges in every status, whose newest history entry is the status', async () => {
    for (const { id, payment_type, status } of (await list('')).filter((_, index) => index % 7 === 0)) {
      const payment = (await readObject(`/v1/${payment_type}s/${id}`)) as Thing & { status_history: Thing[]; status_details: Thing }
      const typeFields =
        payment_type === 'payout'
          ? { is_refund: expect.any(Boolean) }
          : { has_refund: expect.any(Boolean), consent_type: expect.toBeOneOf(['internet', 'signed_agreement']) }
      expect(payment).toEqual({ ...shared, ...typeFields })
      expect(payment.status_history.at(-1)).toEqual({ ...payment.status_details, status })
    }
  })

  test('are in the customer and the paykey of a payment, with private data masked', async () => {
    const [payment] = (await list('payment_status=paid')) as (Thing & { customer_details: Thing; paykey_details: Thing })[]
    const customer = await readObject(`/v1/customers/${payment?.customer_details.id}`)
    const paykey = await readObject(`/v1/paykeys/${payment?.paykey_details.id}`)
    expect(customer).toEqual({
      ...{ id: uuid, type: expect.stringMatching(/^(individual|business)$/), created_at: moment, updated_at: moment },
      ...expectText('name', 'email', 'phone', 'status', 'external_id'),
      address: { ...expectText('address1', 'city', 'state', 'zip'), address2: expect.toBeOneOf([null, expect.any(String)]) },
      compliance_profile: expect.toBeOneOf([
        { dob: '****-**-**', ssn: '***-**-****' },
        { ein: '**-*******', ...expectText('legal_business_name', 'website'), representatives: expect.any(Array) },
      ]),
      device: { ip_address: '**.**.**.**' },
      metadata: expect.any(Object),
      config: expectText('sandbox_outcome', 'processing_method'),
    })
    expect(paykey).toEqual({
      ...{ id: uuid, customer_id: (customer as Thing).id, paykey: maskedToken, created_at: moment, updated_at: moment, expires_at: moment },
      ...expectText('label', 'source', 'institution_name', 'external_id'),
      status: 'active',
      config: expectText('sandbox_outcome', 'processing_method'),
      status_details: { ...expectText('message', 'reason', 'source'), code: null, changed_at: moment },
      bank_data: {
        routing_number: expect.stringMatching(/^\d{9}$/),
        account_number: expect.stringMatching(/^\*{5}\d{4}$/),
        ...expectText('account_type'),
      },
      metadata: expect.any(Object),
      // Null until a bank returned a balance. For a paykey from bank details alone, it stays null.
      balance: {
        status: expect.stringMatching(/^(pending|completed|failed)$/),
        account_balance: expect.toBeOneOf([null, expect.any(Number)]),
        updated_at: expect.toBeOneOf([null, moment]),
      },
      unblock_eligible: null,
    })
  })
})

test('a held payout’s paykey has the status that matches the hold', async () => {
  const heldPayouts = (await list('payment_status=on_hold&payment_type=payout')) as (Thing & {
    paykey_details: Thing
    status_details: Thing
  })[]
  const states: unknown[] = []
  for (const { paykey_details, status_details } of heldPayouts) {
    const paykey = (await readObject(`/v1/paykeys/${paykey_details.id}`)) as Thing & { status_details: Thing }
    states.push([status_details.reason, paykey.status])
    if (paykey.status === 'blocked') expect(status_details.code).toBe(paykey.status_details.code)
  }
  for (const [reason, status] of [
    ['watchtower_review', 'review'],
    ['invalid_paykey', 'blocked'],
    ['auto_hold', 'active'],
  ]) {
    expect(states.filter((pair) => Array.isArray(pair) && pair[0] === reason)).toEqual(Array(4).fill([reason, status]))
  }
})

test('related payments refer to each other and match the flags', async () => {
  const linked = (await list('')).filter((payment) => (payment.related_payments as unknown[]).length > 0)
  expect(linked.length).toBeGreaterThan(3)
  for (const payment of linked) {
    for (const { id, relationship, payment_type } of payment.related_payments as {
      id: string
      relationship: string
      payment_type: string
    }[]) {
      const other = (await readObject(`/v1/${payment_type}s/${id}`)) as Thing
      expect(other.related_payments).toContainEqual(expect.objectContaining({ id: payment.id, payment_type: payment.payment_type }))
      expect(relationship === 'original' ? payment.is_refund || payment.is_resubmit : payment.has_refund || payment.has_resubmit).toBe(true)
    }
  }
})

describe('accounts', () => {
  const accounts = async (query: string) =>
    (await readObject(`/v1/accounts?${query}`)) as (Thing & { business_profile: { name: string }; status: string })[]

  test('can be filtered by status, external ID and text, and sorted by name', async () => {
    const accountsByName = await accounts('sort_by=name')
    const names = accountsByName.map((account) => account.business_profile.name)
    expect(names).toEqual(names.toSorted((left, right) => (left.toLowerCase() < right.toLowerCase() ? -1 : 1)))
    expect((await accounts('status=onboarding')).map(({ status }) => status)).toEqual(Array(3).fill('onboarding'))
    expect(await accounts(`external_id=${accountsByName[3]?.external_id}`)).toEqual([accountsByName[3]])
    expect(await accounts('search_text=TIDEWATER')).toEqual(
      accountsByName.filter((account) => /tidewater/i.test(account.business_profile.name)),
    )
    expect(await accounts('search_text=100%25')).toEqual([])
  })

  test('have settings with the same limits as the account', async () => {
    const [account] = (await readObject('/v1/accounts?status=active')) as (Thing & { settings: Record<string, unknown> })[]
    const settings = (await readObject(`/v1/account_settings/${account?.id}`)) as Record<string, unknown>
    expect({ charges: settings.charges, payouts: settings.payouts }).toEqual(account?.settings)
    expect(settings.payment_types).toEqual({ charges: 'active', payouts: 'active' })
    expect(account?.settings.payouts).toEqual({
      ...{
        max_amount: expect.any(Number),
        daily_amount: expect.any(Number),
        monthly_amount: expect.any(Number),
        monthly_count: expect.any(Number),
      },
      ...{ funding_time: expect.any(String), linked_bank_account_id: uuid },
    })
  })
})
