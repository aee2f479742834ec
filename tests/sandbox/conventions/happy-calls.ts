import type { Operation } from '@/sandbox/operation'
import { linkBankAccount as linkToCustomer } from '@/tests/sandbox/link-bank-account'
import {
  bankAccount,
  findOrganization,
  linkBankAccount,
  makeAccount,
  makeRepresentative,
  person,
  profile,
} from '@/tests/sandbox/make-account'
import { buildCustomerBody, createOwnCustomer } from '@/tests/sandbox/own-customer'
import { callOnPayment, happyPayments, makeFundingEventCall } from './happy-payments'
import { allowUnmask, completeAccount, type HappyCall, type MakeCall, type OperationTestContext } from './stage'

const makeCustomerCall =
  (outcome: string, body?: Record<string, unknown>): MakeCall =>
  async ({ client, account }) => {
    const { id } = await createOwnCustomer(client, account, { config: { sandbox_outcome: outcome } })
    return { id, ...(body ? { body } : {}) }
  }

const callWithCustomerChange: MakeCall = async (stage) => {
  const { type: _type, ...body } = buildCustomerBody()
  return { ...(await makeCustomerCall('verified')(stage)), body: { ...body, status: 'verified' } }
}

const makePaykeyCall =
  (outcome: string, body?: Record<string, unknown>): MakeCall =>
  async ({ client, account, customer: owner }) => {
    const { id } = await linkToCustomer(client, account, owner, { config: { sandbox_outcome: outcome } })
    return { id, ...(body ? { body } : {}) }
  }

const makeUnblockCall: MakeCall = async ({ client, customer: customer_id }) => {
  const payout = await client.payout({ customer_id, status: 'cancelled', paykey_status: 'blocked' })
  return { id: payout.paykey_details.id, body: { message: 'Allow-listed' } }
}

export const isOnObject = ({ path }: Pick<Operation, 'path'>): boolean => path.includes(':')

let tokenCount = 0

const callWithBankDetails =
  (bank: () => Record<string, unknown>): MakeCall =>
  async ({ account, customer: customer_id }) => ({ body: { customer_id, ...bank() }, headers: account.headers })

const buildBankNumbers = (name: string) => () => ({
  routing_number: '021000021',
  [name]: `88${process.pid}${String(++tokenCount).padStart(4, '0')}`,
  account_type: 'checking',
})
const createToken = (name: string) => () => ({ [name]: `processor-${process.pid}-${++tokenCount}` })

const callOnNewObject =
  (make: (stage: OperationTestContext) => Promise<{ id: string }>, body?: Record<string, unknown>): MakeCall =>
  async (stage) => ({ id: (await make(stage)).id, ...(body ? { body } : {}) })

const createAccount = ({ client }: OperationTestContext) => makeAccount(client)
const createCompleteAccount = ({ client }: OperationTestContext) => completeAccount(client)
const terms = { accepted_date: '2030-01-31T12:00:00Z', agreement_url: 'https://sable-finch.example.com/terms' }

const makeRepresentativeCall = (body?: Record<string, unknown>): MakeCall =>
  callOnNewObject(async ({ client, account }) => {
    const relationship = { primary: false, control: false, owner: false }
    return makeRepresentative(client, account.id, { relationship })
  }, body)

const callOnLinkedBankAccount = (body?: Record<string, unknown>): MakeCall =>
  callOnNewObject(async ({ client }) => {
    const { id } = await makeAccount(client)
    await allowUnmask(client, id)
    return linkBankAccount(client, id)
  }, body)

const capability = { internet: { enable: true } }

/** Creates the object of a resource for operations that `happyCalls` does not list. */
const callByResource: Readonly<Record<string, MakeCall>> = {
  charges: callOnPayment('charge', 'paid'),
  payouts: callOnPayment('payout', 'paid'),
  customers: makeCustomerCall('verified'),
  paykeys: makePaykeyCall('active'),
  accounts: callOnNewObject(createAccount),
  account_settings: callOnNewObject(createAccount),
  organizations: async ({ client }) => ({ id: await findOrganization(client) }),
  representatives: makeRepresentativeCall(),
  linked_bank_accounts: callOnLinkedBankAccount(),
  funding_events: makeFundingEventCall,
  funding_event_payments: makeFundingEventCall,
}

/** Creates accepted requests that need a body or an object in another state. */
export const happyCalls: Readonly<Record<string, MakeCall>> = {
  ...happyPayments,
  'customers.create': async ({ account }) => ({ body: buildCustomerBody(), headers: account.headers }),
  'customers.update': callWithCustomerChange,
  'customers.decide': makeCustomerCall('review', { status: 'verified' }),
  'customers.refresh_review': makeCustomerCall('review'),
  'bridge.initialize': callWithBankDetails(() => ({})),
  'bridge.bank_account': callWithBankDetails(buildBankNumbers('account_number')),
  'bridge.tan': callWithBankDetails(buildBankNumbers('tan')),
  'bridge.plaid': callWithBankDetails(createToken('plaid_token')),
  'bridge.quiltt': callWithBankDetails(createToken('quiltt_token')),
  'bridge.speedchex': callWithBankDetails(createToken('speedchex_token')),
  'paykeys.decide': makePaykeyCall('review', { status: 'active' }),
  'paykeys.cancel': makePaykeyCall('active', { reason: 'Account closed' }),
  'paykeys.unblock': makeUnblockCall,
  'capability_requests.create': async ({ account }) => ({ body: capability, headers: account.headers }),
  'capability_requests.create_for_account': callOnNewObject(createAccount, capability),
  'capability_requests.list_for_account': callOnNewObject(createAccount),
  'accounts.create': async ({ client }) => {
    const organization_id = await findOrganization(client)
    return { body: { organization_id, account_type: 'business', access_level: 'standard', business_profile: profile } }
  },
  'accounts.update': callOnNewObject(createAccount, { business_profile: profile }),
  'accounts.onboard': callOnNewObject(createCompleteAccount, { terms_of_service: terms }),
  'organizations.create': async () => ({ body: { name: 'Harbor Group' } }),
  'representatives.create': async ({ client }) => ({ body: { account_id: (await makeAccount(client)).id, ...person } }),
  'representatives.update': makeRepresentativeCall({ ...person, relationship: { primary: false, control: true, owner: false } }),
  'linked_bank_accounts.create': async ({ client }) => ({
    body: { account_id: (await makeAccount(client)).id, bank_account: bankAccount },
  }),
  'linked_bank_accounts.update': callOnLinkedBankAccount({ bank_account: bankAccount }),
}

/** Returns an accepted request of an operation: its own from `happyCalls`, one with its resource's default object, or an empty one. */
export async function makeHappyCall(stage: OperationTestContext, { id, path }: Operation): Promise<HappyCall> {
  const resource = id.slice(0, id.indexOf('.'))
  const make = happyCalls[id] ?? (isOnObject({ path }) ? callByResource[resource] : undefined)
  return make ? make(stage) : {}
}
