import { describe, expect, test } from 'vitest'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

type ServiceObject = Record<string, unknown> & { id: string }

const readObject = async (path: string) => {
  const response = await client().ask(path)
  expect([path, response.status]).toEqual([path, 200])
  return response.json.data
}
const listPayments = async (query: string) =>
  (await readObject(`/v1/payments?page_size=1000&${query}`)) as ServiceObject[]

const makeAnyTextMatchers = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, expect.any(String)]))
const anyUuid = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
)
const anyTimestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
const anyMaskedToken = expect.stringMatching(/^[0-9a-f]{3}\*{3}\.02\.\*{6}[0-9a-f]{3}$/)

const sharedPaymentFields = {
  id: anyUuid,
  paykey: anyMaskedToken,
  ...makeAnyTextMatchers('description', 'external_id'),
  amount: expect.stringMatching(/^\d+$/),
  currency: 'USD',
  payment_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
  device: { ip_address: '**.**.**.**' },
  config: expect.objectContaining({ sandbox_outcome: 'standard' }),
  status: expect.any(String),
  status_details: {
    ...makeAnyTextMatchers('message', 'reason', 'source'),
    changed_at: anyTimestamp,
    code: expect.toBeOneOf([null, expect.any(String)]),
  },
  status_history: expect.any(Array),
  funding_ids: expect.any(Array),
  trace_ids: expect.any(Object),
  ...{ is_resubmit: expect.any(Boolean), has_resubmit: expect.any(Boolean) },
  payment_rail: 'ach',
  customer_details: {
    id: anyUuid,
    ...makeAnyTextMatchers('name', 'customer_type', 'email', 'phone'),
  },
  paykey_details: {
    id: anyUuid,
    customer_id: anyUuid,
    ...makeAnyTextMatchers('label'),
    balance: expect.toBeOneOf([null, expect.stringMatching(/^\d+$/)]),
  },
  ...{ created_at: anyTimestamp, updated_at: anyTimestamp },
  processed_at: expect.toBeOneOf([null, anyTimestamp]),
  effective_at: expect.toBeOneOf([null, anyTimestamp]),
  metadata: expect.any(Object),
  related_payments: expect.any(Array),
  documents: expect.any(Array),
}

describe('exactly the fields of the interface document', () => {
  test('are in payouts and charges in every status, whose newest history entry is the status', async () => {
    for (const { id, payment_type, status } of (await listPayments('')).filter(
      (_, index) => index % 7 === 0,
    )) {
      const payment = (await readObject(`/v1/${payment_type}s/${id}`)) as ServiceObject & {
        status_history: ServiceObject[]
        status_details: ServiceObject
      }
      const typeSpecificFields =
        payment_type === 'payout'
          ? { is_refund: expect.any(Boolean) }
          : {
              has_refund: expect.any(Boolean),
              consent_type: expect.toBeOneOf(['internet', 'signed_agreement']),
            }
      expect(payment).toEqual({ ...sharedPaymentFields, ...typeSpecificFields })
      expect(payment.status_history.at(-1)).toEqual({ ...payment.status_details, status })
    }
  })

  test('are in the customer and the paykey of a payment, with private data masked', async () => {
    const [payment] = (await listPayments('payment_status=paid')) as (ServiceObject & {
      customer_details: ServiceObject
      paykey_details: ServiceObject
    })[]
    const customer = await readObject(`/v1/customers/${payment?.customer_details.id}`)
    const paykey = await readObject(`/v1/paykeys/${payment?.paykey_details.id}`)
    expect(customer).toEqual({
      ...{
        id: anyUuid,
        type: expect.stringMatching(/^(individual|business)$/),
        created_at: anyTimestamp,
        updated_at: anyTimestamp,
      },
      ...makeAnyTextMatchers('name', 'email', 'phone', 'status', 'external_id'),
      address: {
        ...makeAnyTextMatchers('address1', 'city', 'state', 'zip'),
        address2: expect.toBeOneOf([null, expect.any(String)]),
      },
      compliance_profile: expect.toBeOneOf([
        { dob: '****-**-**', ssn: '***-**-****' },
        {
          ein: '**-*******',
          ...makeAnyTextMatchers('legal_business_name', 'website'),
          representatives: expect.any(Array),
        },
      ]),
      device: { ip_address: '**.**.**.**' },
      metadata: expect.any(Object),
      config: makeAnyTextMatchers('sandbox_outcome', 'processing_method'),
    })
    expect(paykey).toEqual({
      ...{
        id: anyUuid,
        customer_id: (customer as ServiceObject).id,
        paykey: anyMaskedToken,
        created_at: anyTimestamp,
        updated_at: anyTimestamp,
        expires_at: anyTimestamp,
      },
      ...makeAnyTextMatchers('label', 'source', 'institution_name', 'external_id'),
      status: 'active',
      config: makeAnyTextMatchers('sandbox_outcome', 'processing_method'),
      status_details: {
        ...makeAnyTextMatchers('message', 'reason', 'source'),
        code: null,
        changed_at: anyTimestamp,
      },
      bank_data: {
        routing_number: expect.stringMatching(/^\d{9}$/),
        account_number: expect.stringMatching(/^\*{5}\d{4}$/),
        ...makeAnyTextMatchers('account_type'),
      },
      metadata: expect.any(Object),
      // `account_balance` is null until a bank has returned a balance. For a paykey created from
      // bank details, it stays null.
      balance: {
        status: expect.stringMatching(/^(pending|completed|failed)$/),
        account_balance: expect.toBeOneOf([null, expect.any(Number)]),
        updated_at: expect.toBeOneOf([null, anyTimestamp]),
      },
      unblock_eligible: null,
    })
  })
})

test('a held payout’s paykey has the status that matches the hold', async () => {
  const heldPayouts = (await listPayments(
    'payment_status=on_hold&payment_type=payout',
  )) as (ServiceObject & {
    paykey_details: ServiceObject
    status_details: ServiceObject
  })[]
  const reasonAndStatusPairs: unknown[] = []
  for (const { paykey_details, status_details } of heldPayouts) {
    const paykey = (await readObject(`/v1/paykeys/${paykey_details.id}`)) as ServiceObject & {
      status_details: ServiceObject
    }
    reasonAndStatusPairs.push([status_details.reason, paykey.status])
    if (paykey.status === 'blocked') expect(status_details.code).toBe(paykey.status_details.code)
  }
  for (const [reason, status] of [
    ['watchtower_review', 'review'],
    ['invalid_paykey', 'blocked'],
    ['auto_hold', 'active'],
  ]) {
    expect(
      reasonAndStatusPairs.filter((pair) => Array.isArray(pair) && pair[0] === reason),
    ).toEqual(Array(4).fill([reason, status]))
  }
})

test('related payments refer to each other and match the flags', async () => {
  const paymentsWithRelations = (await listPayments('')).filter(
    (payment) => (payment.related_payments as unknown[]).length > 0,
  )
  expect(paymentsWithRelations.length).toBeGreaterThan(3)
  for (const payment of paymentsWithRelations) {
    for (const { id, relationship, payment_type } of payment.related_payments as {
      id: string
      relationship: string
      payment_type: string
    }[]) {
      const relatedPayment = (await readObject(`/v1/${payment_type}s/${id}`)) as ServiceObject
      expect(relatedPayment.related_payments).toContainEqual(
        expect.objectContaining({ id: payment.id, payment_type: payment.payment_type }),
      )
      expect(
        relationship === 'original'
          ? payment.is_refund || payment.is_resubmit
          : payment.has_refund || payment.has_resubmit,
      ).toBe(true)
    }
  }
})

describe('accounts', () => {
  const listAccounts = async (query: string) =>
    (await readObject(`/v1/accounts?${query}`)) as (ServiceObject & {
      business_profile: { name: string }
      status: string
    })[]

  test('can be filtered by status, external ID and text, and sorted by name', async () => {
    const accountsByName = await listAccounts('sort_by=name')
    const accountNames = accountsByName.map((account) => account.business_profile.name)
    expect(accountNames).toEqual(
      accountNames.toSorted((left, right) => (left.toLowerCase() < right.toLowerCase() ? -1 : 1)),
    )
    expect((await listAccounts('status=onboarding')).map(({ status }) => status)).toEqual(
      Array(3).fill('onboarding'),
    )
    expect(await listAccounts(`external_id=${accountsByName[3]?.external_id}`)).toEqual([
      accountsByName[3],
    ])
    expect(await listAccounts('search_text=TIDEWATER')).toEqual(
      accountsByName.filter((account) => /tidewater/i.test(account.business_profile.name)),
    )
    expect(await listAccounts('search_text=100%25')).toEqual([])
  })

  test('have settings with the same limits as the account', async () => {
    const [account] = (await readObject('/v1/accounts?status=active')) as (ServiceObject & {
      settings: Record<string, unknown>
    })[]
    const settings = (await readObject(`/v1/account_settings/${account?.id}`)) as Record<
      string,
      unknown
    >
    expect({ charges: settings.charges, payouts: settings.payouts }).toEqual(account?.settings)
    expect(settings.payment_types).toEqual({ charges: 'active', payouts: 'active' })
    expect(account?.settings.payouts).toEqual({
      ...{
        max_amount: expect.any(Number),
        daily_amount: expect.any(Number),
        monthly_amount: expect.any(Number),
        monthly_count: expect.any(Number),
      },
      ...{ funding_time: expect.any(String), linked_bank_account_id: anyUuid },
    })
  })
})
