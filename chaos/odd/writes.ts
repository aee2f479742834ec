import { randomUUID } from 'node:crypto'
import {
  getServiceOperation,
  serviceOperationIds,
  type WriteId,
} from '@/lib/operations/service-operations'
import {
  buildBankAccountInput,
  buildCustomerBody,
  buildPayoutBody,
  buildRepresentativeBody,
} from '@/tests/harness/objects'
import { createPdfFile } from '@/tests/harness/person'
import type { OddServiceDesk, PreparedWrite, ServiceObject } from './odd-desk'

/** The dashboard with its sandbox, and the id (`acct_…`) of an account with all capabilities. */
export type WriteContext = { desk: OddServiceDesk; account: string }

/** Creates the needed objects directly at the service. Returns the write, not sent yet. */
type PrepareWrite = (context: WriteContext) => Promise<PreparedWrite>

const toDateInDays = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const removeAccountPrefix = (account: string): string => account.replace('acct_', '')

const createCustomer = ({ desk, account }: WriteContext, outcome = 'verified') =>
  desk.service('POST', '/customers', buildCustomerBody(outcome), account)

async function createPaykey(context: WriteContext, outcome = 'active'): Promise<ServiceObject> {
  const customer = await createCustomer(context)
  return context.desk.service(
    'POST',
    '/bridge/bank_account',
    buildBankAccountInput(customer.id, outcome),
    context.account,
  )
}

type PaymentKind = 'payout' | 'charge'

const createPayment = (
  { desk, account }: WriteContext,
  kind: PaymentKind,
  overrides: Record<string, unknown>,
) =>
  desk.control<{ id: string; paykey_details: { id: string } }>('POST', `/objects/${kind}s`, {
    account_id: removeAccountPrefix(account),
    ...overrides,
  })

const preparePaymentWrite =
  (
    kind: PaymentKind,
    status: string,
    write: Omit<PreparedWrite, 'id' | 'account'> = {},
  ): PrepareWrite =>
  async (context) => ({
    id: (await createPayment(context, kind, { status })).id,
    account: context.account,
    ...write,
  })

const prepareNewPayment =
  (more: Record<string, unknown> = {}): PrepareWrite =>
  async (context) => ({
    input: buildPayoutBody((await createPaykey(context)).id, more),
    account: context.account,
  })

const paymentUpdate = {
  input: { description: 'Corrected', amount: 777, payment_date: toDateInDays(2) },
}

const buildPaymentPreparations = <K extends PaymentKind>(kind: K) =>
  ({
    [`${kind}s.update`]: preparePaymentWrite(kind, 'on_hold', paymentUpdate),
    [`${kind}s.hold`]: preparePaymentWrite(kind, 'created'),
    [`${kind}s.release`]: preparePaymentWrite(kind, 'on_hold'),
    [`${kind}s.cancel`]: preparePaymentWrite(kind, 'on_hold'),
    [`${kind}s.resubmit`]: preparePaymentWrite(kind, 'failed', {
      input: { description: 'Once more' },
    }),
    [`${kind}s.authorize`]: preparePaymentWrite(kind, 'on_hold', {
      file: createPdfFile('proof.pdf'),
    }),
  }) as Record<
    `${K}s.${'update' | 'hold' | 'release' | 'cancel' | 'resubmit' | 'authorize'}`,
    PrepareWrite
  >

const prepareCustomerWrite =
  (outcome: string, input: Record<string, unknown> = {}): PrepareWrite =>
  async (context) => ({
    id: (await createCustomer(context, outcome)).id,
    input,
    account: context.account,
  })

const preparePaykeyWrite =
  (outcome: string, input: Record<string, unknown> = {}): PrepareWrite =>
  async (context) => ({
    id: (await createPaykey(context, outcome)).id,
    input,
    account: context.account,
  })

/** The dashboard deletes a customer only with another person's open deletion request. */
const prepareCustomerDeletion: PrepareWrite = async (context) => {
  const { desk, account } = context
  const customer = await createCustomer(context)
  const deletionRequest = {
    id: randomUUID(),
    account,
    customer_id: customer.id,
    asker: 'RETENTION_END',
    basis: 'RETENTION_POLICY',
    identity_check: 'NOT_NEEDED',
  }
  const headers = { 'content-type': 'application/json' }
  const reply = await desk.operator.post('/api/sandbox/desk/deletions', {
    headers,
    body: JSON.stringify(deletionRequest),
  })
  if (reply.status !== 201)
    throw new Error(
      `the deletion could not be asked for: ${reply.status} ${JSON.stringify(reply.body.error)}`,
    )
  return { id: customer.id, account }
}

const preparePaykeyUnblock: PrepareWrite = async (context) => {
  const customer = await createCustomer(context)
  const payout = await createPayment(context, 'payout', {
    customer_id: customer.id,
    status: 'cancelled',
    paykey_status: 'blocked',
  })
  return { id: payout.paykey_details.id, account: context.account }
}

const prepareBridgeWrite =
  (createBankDetails: () => Record<string, unknown>): PrepareWrite =>
  async (context) => ({
    input: { customer_id: (await createCustomer(context)).id, ...createBankDetails() },
    account: context.account,
  })

const createTwelveDigits = (): string => String(Math.floor(Math.random() * 9e11) + 1e11)
const createBankNumbersFactory = (name: string) => () => ({
  routing_number: '021000021',
  [name]: createTwelveDigits(),
  account_type: 'checking',
})
const createTokenFactory = (name: string) => () => ({ [name]: `processor-${randomUUID()}` })

const businessProfile = { name: 'Sable & Finch Bakery', website: 'https://sable-finch.example.com' }
const createBankAccount = () => ({
  account_holder: 'Sable & Finch Bakery',
  routing_number: '021000021',
  account_number: createTwelveDigits(),
})
const buildAccountBody = async ({ desk }: WriteContext) => {
  const organization = await desk.service('POST', '/organizations', { name: 'Harbor Group' })
  return {
    organization_id: organization.id,
    account_type: 'business',
    access_level: 'standard',
    business_profile: businessProfile,
  }
}
const createAccount = async (context: WriteContext) =>
  context.desk.service('POST', '/accounts', await buildAccountBody(context))

const createRepresentative = ({ desk }: WriteContext, accountId: string) =>
  desk.service('POST', '/representatives', { ...buildRepresentativeBody(accountId) })
const createLinkedBankAccount = ({ desk }: WriteContext, accountId: string) =>
  desk.service('POST', '/linked_bank_accounts', {
    account_id: accountId,
    bank_account: createBankAccount(),
  })

const prepareNewAccountWrite =
  (
    createObject: (context: WriteContext, accountId: string) => Promise<ServiceObject>,
    input: Record<string, unknown> = {},
  ): PrepareWrite =>
  async (context) => ({
    id: (await createObject(context, (await createAccount(context)).id)).id,
    input,
  })

const prepareOnboarding: PrepareWrite = async (context) => {
  const { id } = await createAccount(context)
  await context.desk.service('POST', '/representatives', {
    ...buildRepresentativeBody(id),
    relationship: { primary: true, control: true, owner: false },
  })
  await createLinkedBankAccount(context, id)
  const terms_of_service = {
    accepted_date: new Date().toISOString(),
    agreement_url: `${businessProfile.website}/terms`,
    agreement_type: 'embedded',
  }
  return { id, input: { terms_of_service } }
}

const prepareFundingSimulation: PrepareWrite = async (context) => {
  await createPayment(context, 'charge', { status: 'paid', awaits_funding: true })
  return { input: { funding_event_job_type: 'charges' }, account: context.account }
}

const { account_id: _own, ...person } = buildRepresentativeBody('')

/** Prepares writes that have an input, and writes on an object whose state is not active. */
const preparationsByWriteId: Readonly<Partial<Record<WriteId, PrepareWrite>>> = {
  'payouts.create': prepareNewPayment(),
  'charges.create': prepareNewPayment({
    consent_type: 'internet',
    config: { balance_check: 'disabled' },
  }),
  ...buildPaymentPreparations('payout'),
  ...buildPaymentPreparations('charge'),
  'charges.refund': preparePaymentWrite('charge', 'paid', { input: { amount: 100 } }),
  'customers.create': async ({ account }) => ({ input: buildCustomerBody(), account }),
  'customers.update': async (context) => {
    const { type: _type, config: _config, ...body } = buildCustomerBody()
    return {
      id: (await createCustomer(context)).id,
      input: { ...body, status: 'verified' },
      account: context.account,
    }
  },
  'customers.delete': prepareCustomerDeletion,
  'customers.decide': prepareCustomerWrite('review', { status: 'verified' }),
  'customers.refresh_review': prepareCustomerWrite('review'),
  'paykeys.decide': preparePaykeyWrite('review', { status: 'active' }),
  'paykeys.unblock': preparePaykeyUnblock,
  'bridge.initialize': prepareBridgeWrite(() => ({})),
  'bridge.bank_account': prepareBridgeWrite(createBankNumbersFactory('account_number')),
  'bridge.tan': prepareBridgeWrite(createBankNumbersFactory('tan')),
  'bridge.plaid': prepareBridgeWrite(createTokenFactory('plaid_token')),
  'bridge.quiltt': prepareBridgeWrite(createTokenFactory('quiltt_token')),
  'bridge.speedchex': prepareBridgeWrite(createTokenFactory('speedchex_token')),
  'funding_events.simulate': prepareFundingSimulation,
  'accounts.create': async (context) => ({ input: await buildAccountBody(context) }),
  'accounts.update': async (context) => ({
    id: (await createAccount(context)).id,
    input: { business_profile: { ...businessProfile, tax_id: null } },
  }),
  'accounts.onboard': prepareOnboarding,
  'accounts.simulate': async (context) => ({
    id: (await createAccount(context)).id,
    input: { final_status: 'active' },
  }),
  'capability_requests.create': async (context) => ({
    input: { payouts: { enable: true, max_amount: 600_000 }, internet: { enable: true } },
    account: `acct_${(await createAccount(context)).id}`,
  }),
  'organizations.create': async () => ({ input: { name: 'Harbor Group' } }),
  'representatives.create': async (context) => ({
    input: buildRepresentativeBody((await createAccount(context)).id),
  }),
  'representatives.update': prepareNewAccountWrite(createRepresentative, person),
  'linked_bank_accounts.create': async (context) => ({
    input: { account_id: (await createAccount(context)).id, bank_account: createBankAccount() },
  }),
  'linked_bank_accounts.update': prepareNewAccountWrite(createLinkedBankAccount, {
    bank_account: createBankAccount(),
  }),
}

/**
 * Prepares writes without an input. Each function creates an object on which these writes are
 * allowed.
 */
const preparationsByResource: Readonly<Record<string, PrepareWrite>> = {
  paykeys: preparePaykeyWrite('active'),
  linked_bank_accounts: prepareNewAccountWrite(createLinkedBankAccount),
}

export const writeIds = serviceOperationIds.filter(
  (id): id is WriteId => getServiceOperation(id).effect !== 'read',
)

/** Prepares a write that the service accepts. */
export async function prepareWrite(id: WriteId, context: WriteContext): Promise<PreparedWrite> {
  const foundPreparation =
    preparationsByWriteId[id] ?? preparationsByResource[id.slice(0, id.indexOf('.'))]
  if (!foundPreparation) throw new Error(`${id} has no accepted request in chaos/odd/writes.ts`)
  return foundPreparation(context)
}
