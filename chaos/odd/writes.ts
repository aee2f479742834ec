import { randomUUID } from 'node:crypto'
import { serviceOperation, serviceOperationIds, type WriteId } from '@/lib/operations/service-operations'
import { bankAccountInput, buildCustomerBody, buildPayoutBody, buildRepresentativeBody } from '@/tests/harness/objects'
import { createPdfFile } from '@/tests/harness/person'
import type { OddDesk, OddWrite, ServiceObject } from './odd-desk'

/** The desk, and the id of an account with all capabilities in the form that URLs use. */
export type WriteContext = { desk: OddDesk; account: string }

/** Creates the objects that a write needs, directly at the service, and returns the write. */
type PrepareWrite = (stage: WriteContext) => Promise<OddWrite>

const toDateInDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const toBareId = (account: string): string => account.replace('acct_', '')

const createCustomer = ({ desk, account }: WriteContext, outcome = 'verified') =>
  desk.service('POST', '/customers', buildCustomerBody(outcome), account)

async function createPaykey(stage: WriteContext, outcome = 'active'): Promise<ServiceObject> {
  const customer = await createCustomer(stage)
  return stage.desk.service('POST', '/bridge/bank_account', bankAccountInput(customer.id, outcome), stage.account)
}

type Kind = 'payout' | 'charge'

const createPayment = ({ desk, account }: WriteContext, kind: Kind, overrides: Record<string, unknown>) =>
  desk.control<{ id: string; paykey_details: { id: string } }>('POST', `/objects/${kind}s`, { account_id: toBareId(account), ...overrides })

const preparePayment =
  (kind: Kind, status: string, write: Omit<OddWrite, 'id' | 'account'> = {}): PrepareWrite =>
  async (stage) => ({ id: (await createPayment(stage, kind, { status })).id, account: stage.account, ...write })

const prepareNewPayment =
  (more: Record<string, unknown> = {}): PrepareWrite =>
  async (stage) => ({ input: buildPayoutBody((await createPaykey(stage)).id, more), account: stage.account })

const paymentChange = { input: { description: 'Corrected', amount: 777, payment_date: toDateInDays(2) } }

const createPaymentWrites = <K extends Kind>(kind: K) =>
  ({
    [`${kind}s.update`]: preparePayment(kind, 'on_hold', paymentChange),
    [`${kind}s.hold`]: preparePayment(kind, 'created'),
    [`${kind}s.release`]: preparePayment(kind, 'on_hold'),
    [`${kind}s.cancel`]: preparePayment(kind, 'on_hold'),
    [`${kind}s.resubmit`]: preparePayment(kind, 'failed', { input: { description: 'Once more' } }),
    [`${kind}s.authorize`]: preparePayment(kind, 'on_hold', { file: createPdfFile('proof.pdf') }),
  }) as Record<`${K}s.${'update' | 'hold' | 'release' | 'cancel' | 'resubmit' | 'authorize'}`, PrepareWrite>

const prepareOnCustomer =
  (outcome: string, input: Record<string, unknown> = {}): PrepareWrite =>
  async (stage) => ({ id: (await createCustomer(stage, outcome)).id, input, account: stage.account })

const prepareOnPaykey =
  (outcome: string, input: Record<string, unknown> = {}): PrepareWrite =>
  async (stage) => ({ id: (await createPaykey(stage, outcome)).id, input, account: stage.account })

/** Deleting a customer requires an open deletion request that another person made. */
const prepareDeletion: PrepareWrite = async (stage) => {
  const { desk, account } = stage
  const customer = await createCustomer(stage)
  const request = {
    id: randomUUID(),
    account,
    customer_id: customer.id,
    asker: 'RETENTION_END',
    basis: 'RETENTION_POLICY',
    identity_check: 'NOT_NEEDED',
  }
  const headers = { 'content-type': 'application/json' }
  const reply = await desk.operator.post('/api/sandbox/desk/deletions', { headers, body: JSON.stringify(request) })
  if (reply.status !== 201) throw new Error(`the deletion could not be asked for: ${reply.status} ${JSON.stringify(reply.body.error)}`)
  return { id: customer.id, account }
}

const prepareBlockedPaykey: PrepareWrite = async (stage) => {
  const customer = await createCustomer(stage)
  const payout = await createPayment(stage, 'payout', { customer_id: customer.id, status: 'cancelled', paykey_status: 'blocked' })
  return { id: payout.paykey_details.id, account: stage.account }
}

const withBankDetails =
  (bank: () => Record<string, unknown>): PrepareWrite =>
  async (stage) => ({ input: { customer_id: (await createCustomer(stage)).id, ...bank() }, account: stage.account })

const createDigits = (): string => String(Math.floor(Math.random() * 9e11) + 1e11)
const createBankNumbers = (name: string) => () => ({ routing_number: '021000021', [name]: createDigits(), account_type: 'checking' })
const createToken = (name: string) => () => ({ [name]: `processor-${randomUUID()}` })

const profile = { name: 'Sable & Finch Bakery', website: 'https://sable-finch.example.com' }
const createBankAccount = () => ({ account_holder: 'Sable & Finch Bakery', routing_number: '021000021', account_number: createDigits() })
const buildAccountBody = async ({ desk }: WriteContext) => {
  const organization = await desk.service('POST', '/organizations', { name: 'Harbor Group' })
  return { organization_id: organization.id, account_type: 'business', access_level: 'standard', business_profile: profile }
}
const createAccount = async (stage: WriteContext) => stage.desk.service('POST', '/accounts', await buildAccountBody(stage))

const createRepresentative = ({ desk }: WriteContext, accountId: string) =>
  desk.service('POST', '/representatives', { ...buildRepresentativeBody(accountId) })
const createLinkedBankAccount = ({ desk }: WriteContext, accountId: string) =>
  desk.service('POST', '/linked_bank_accounts', { account_id: accountId, bank_account: createBankAccount() })

/** Returns a preparation that creates a new account and, with `of`, an object in it. The write is about that object. */
const prepareOnNewAccount =
  (of: (stage: WriteContext, accountId: string) => Promise<ServiceObject>, input: Record<string, unknown> = {}): PrepareWrite =>
  async (stage) => ({ id: (await of(stage, (await createAccount(stage)).id)).id, input })

const onCompleteAccount: PrepareWrite = async (stage) => {
  const { id } = await createAccount(stage)
  await stage.desk.service('POST', '/representatives', {
    ...buildRepresentativeBody(id),
    relationship: { primary: true, control: true, owner: false },
  })
  await createLinkedBankAccount(stage, id)
  const terms_of_service = {
    accepted_date: new Date().toISOString(),
    agreement_url: `${profile.website}/terms`,
    agreement_type: 'embedded',
  }
  return { id, input: { terms_of_service } }
}

const onUnfundedCharge: PrepareWrite = async (stage) => {
  await createPayment(stage, 'charge', { status: 'paid', awaits_funding: true })
  return { input: { funding_event_job_type: 'charges' }, account: stage.account }
}

const { account_id: _own, ...person } = buildRepresentativeBody('')

/** Preparations of the writes that need an input, or an object in another state than active. */
const preparationsById: Readonly<Partial<Record<WriteId, PrepareWrite>>> = {
  'payouts.create': prepareNewPayment(),
  'charges.create': prepareNewPayment({ consent_type: 'internet', config: { balance_check: 'disabled' } }),
  ...createPaymentWrites('payout'),
  ...createPaymentWrites('charge'),
  'charges.refund': preparePayment('charge', 'paid', { input: { amount: 100 } }),
  'customers.create': async ({ account }) => ({ input: buildCustomerBody(), account }),
  'customers.update': async (stage) => {
    const { type: _type, config: _config, ...body } = buildCustomerBody()
    return { id: (await createCustomer(stage)).id, input: { ...body, status: 'verified' }, account: stage.account }
  },
  'customers.delete': prepareDeletion,
  'customers.decide': prepareOnCustomer('review', { status: 'verified' }),
  'customers.refresh_review': prepareOnCustomer('review'),
  'paykeys.decide': prepareOnPaykey('review', { status: 'active' }),
  'paykeys.unblock': prepareBlockedPaykey,
  'bridge.initialize': withBankDetails(() => ({})),
  'bridge.bank_account': withBankDetails(createBankNumbers('account_number')),
  'bridge.tan': withBankDetails(createBankNumbers('tan')),
  'bridge.plaid': withBankDetails(createToken('plaid_token')),
  'bridge.quiltt': withBankDetails(createToken('quiltt_token')),
  'bridge.speedchex': withBankDetails(createToken('speedchex_token')),
  'funding_events.simulate': onUnfundedCharge,
  'accounts.create': async (stage) => ({ input: await buildAccountBody(stage) }),
  'accounts.update': async (stage) => ({ id: (await createAccount(stage)).id, input: { business_profile: { ...profile, tax_id: null } } }),
  'accounts.onboard': onCompleteAccount,
  'accounts.simulate': async (stage) => ({ id: (await createAccount(stage)).id, input: { final_status: 'active' } }),
  'capability_requests.create': async (stage) => ({
    input: { payouts: { enable: true, max_amount: 600_000 }, internet: { enable: true } },
    account: `acct_${(await createAccount(stage)).id}`,
  }),
  'organizations.create': async () => ({ input: { name: 'Harbor Group' } }),
  'representatives.create': async (stage) => ({ input: buildRepresentativeBody((await createAccount(stage)).id) }),
  'representatives.update': prepareOnNewAccount(createRepresentative, person),
  'linked_bank_accounts.create': async (stage) => ({
    input: { account_id: (await createAccount(stage)).id, bank_account: createBankAccount() },
  }),
  'linked_bank_accounts.update': prepareOnNewAccount(createLinkedBankAccount, { bank_account: createBankAccount() }),
}

/** Preparations of all other writes, by resource: each creates an object that accepts them. */
const preparationsByResource: Readonly<Record<string, PrepareWrite>> = {
  paykeys: prepareOnPaykey('active'),
  linked_bank_accounts: prepareOnNewAccount(createLinkedBankAccount),
}

export const writeIds = serviceOperationIds.filter((id): id is WriteId => serviceOperation(id).effect !== 'read')

/** Prepares a write that the service accepts. Throws if this file has no preparation for the operation. */
export async function prepareWrite(id: WriteId, stage: WriteContext): Promise<OddWrite> {
  const foundPreparation = preparationsById[id] ?? preparationsByResource[id.slice(0, id.indexOf('.'))]
  if (!foundPreparation) throw new Error(`${id} has no accepted request in chaos/odd/writes.ts`)
  return foundPreparation(stage)
}
