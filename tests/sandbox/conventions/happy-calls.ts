import type { Operation } from '@/sandbox/operation'
import { linkBankAccount as linkToCustomer } from '@/tests/sandbox/link-bank-account'
import {
  bankAccountFields,
  businessProfile,
  createLinkedBankAccount,
  findOrganizationId,
  makeAccount,
  makeRepresentative,
  representativeFields,
} from '@/tests/sandbox/make-account'
import { buildCustomerBody, createTestCustomer } from '@/tests/sandbox/own-customer'
import { happyPaymentCallMakers, makeFundingEventCall, makePaymentCall } from './happy-payments'
import {
  allowUnmask,
  type CallMaker,
  type HappyCall,
  makeUnmaskableAccount,
  type OperationTestContext,
} from './stage'

const makeCustomerCall =
  (outcome: string, body?: Record<string, unknown>): CallMaker =>
  async ({ client, account }) => {
    const { id } = await createTestCustomer(client, account, {
      config: { sandbox_outcome: outcome },
    })
    return { id, ...(body ? { body } : {}) }
  }

const makeCustomerChangeCall: CallMaker = async (stage) => {
  const { type: _type, ...body } = buildCustomerBody()
  return { ...(await makeCustomerCall('verified')(stage)), body: { ...body, status: 'verified' } }
}

const makePaykeyCall =
  (outcome: string, body?: Record<string, unknown>): CallMaker =>
  async ({ client, account, customer: owner }) => {
    const { id } = await linkToCustomer(client, account, owner, {
      config: { sandbox_outcome: outcome },
    })
    return { id, ...(body ? { body } : {}) }
  }

const makeUnblockCall: CallMaker = async ({ client, customer: customer_id }) => {
  const payout = await client.payout({ customer_id, status: 'cancelled', paykey_status: 'blocked' })
  return { id: payout.paykey_details.id, body: { message: 'Allow-listed' } }
}

export const hasIdInPath = ({ path }: Pick<Operation, 'path'>): boolean => path.includes(':')

let tokenCount = 0

const makeBankDetailsCall =
  (buildBankFields: () => Record<string, unknown>): CallMaker =>
  async ({ account, customer: customer_id }) => ({
    body: { customer_id, ...buildBankFields() },
    headers: account.headers,
  })

const createBankNumbersBuilder = (numberField: string) => () => ({
  routing_number: '021000021',
  [numberField]: `88${process.pid}${String(++tokenCount).padStart(4, '0')}`,
  account_type: 'checking',
})
const createTokenBuilder = (tokenField: string) => () => ({
  [tokenField]: `processor-${process.pid}-${++tokenCount}`,
})

const makeNewObjectCall =
  (
    createObject: (stage: OperationTestContext) => Promise<{ id: string }>,
    body?: Record<string, unknown>,
  ): CallMaker =>
  async (stage) => ({ id: (await createObject(stage)).id, ...(body ? { body } : {}) })

const createAccount = ({ client }: OperationTestContext) => makeAccount(client)
const createUnmaskableAccount = ({ client }: OperationTestContext) => makeUnmaskableAccount(client)
const termsOfService = {
  accepted_date: '2030-01-31T12:00:00Z',
  agreement_url: 'https://sable-finch.example.com/terms',
}

const makeRepresentativeCall = (body?: Record<string, unknown>): CallMaker =>
  makeNewObjectCall(async ({ client, account }) => {
    const relationship = { primary: false, control: false, owner: false }
    return makeRepresentative(client, account.id, { relationship })
  }, body)

const makeLinkedBankAccountCall = (body?: Record<string, unknown>): CallMaker =>
  makeNewObjectCall(async ({ client }) => {
    const { id } = await makeAccount(client)
    await allowUnmask(client, id)
    return createLinkedBankAccount(client, id)
  }, body)

const capabilityRequestBody = { internet: { enable: true } }

/**
 * Default request by resource, for operations on an object that `happyCallMakers` does not list. Each
 * function creates the object and returns its id.
 */
const callMakersByResource: Readonly<Record<string, CallMaker>> = {
  charges: makePaymentCall('charge', 'paid'),
  payouts: makePaymentCall('payout', 'paid'),
  customers: makeCustomerCall('verified'),
  paykeys: makePaykeyCall('active'),
  accounts: makeNewObjectCall(createAccount),
  account_settings: makeNewObjectCall(createAccount),
  organizations: async ({ client }) => ({ id: await findOrganizationId(client) }),
  representatives: makeRepresentativeCall(),
  linked_bank_accounts: makeLinkedBankAccountCall(),
  funding_events: makeFundingEventCall,
  funding_event_payments: makeFundingEventCall,
}

/**
 * Functions that create an accepted request, by operation id, for operations that need a body or an
 * object in a certain state.
 */
export const happyCallMakers: Readonly<Record<string, CallMaker>> = {
  ...happyPaymentCallMakers,
  'customers.create': async ({ account }) => ({
    body: buildCustomerBody(),
    headers: account.headers,
  }),
  'customers.update': makeCustomerChangeCall,
  'customers.decide': makeCustomerCall('review', { status: 'verified' }),
  'customers.refresh_review': makeCustomerCall('review'),
  'bridge.initialize': makeBankDetailsCall(() => ({})),
  'bridge.bank_account': makeBankDetailsCall(createBankNumbersBuilder('account_number')),
  'bridge.tan': makeBankDetailsCall(createBankNumbersBuilder('tan')),
  'bridge.plaid': makeBankDetailsCall(createTokenBuilder('plaid_token')),
  'bridge.quiltt': makeBankDetailsCall(createTokenBuilder('quiltt_token')),
  'bridge.speedchex': makeBankDetailsCall(createTokenBuilder('speedchex_token')),
  'paykeys.decide': makePaykeyCall('review', { status: 'active' }),
  'paykeys.cancel': makePaykeyCall('active', { reason: 'Account closed' }),
  'paykeys.unblock': makeUnblockCall,
  'capability_requests.create': async ({ account }) => ({
    body: capabilityRequestBody,
    headers: account.headers,
  }),
  'capability_requests.create_for_account': makeNewObjectCall(createAccount, capabilityRequestBody),
  'capability_requests.list_for_account': makeNewObjectCall(createAccount),
  'accounts.create': async ({ client }) => {
    const organization_id = await findOrganizationId(client)
    return {
      body: {
        organization_id,
        account_type: 'business',
        access_level: 'standard',
        business_profile: businessProfile,
      },
    }
  },
  'accounts.update': makeNewObjectCall(createAccount, { business_profile: businessProfile }),
  'accounts.onboard': makeNewObjectCall(createUnmaskableAccount, {
    terms_of_service: termsOfService,
  }),
  'organizations.create': async () => ({ body: { name: 'Harbor Group' } }),
  'representatives.create': async ({ client }) => ({
    body: { account_id: (await makeAccount(client)).id, ...representativeFields },
  }),
  'representatives.update': makeRepresentativeCall({
    ...representativeFields,
    relationship: { primary: false, control: true, owner: false },
  }),
  'linked_bank_accounts.create': async ({ client }) => ({
    body: { account_id: (await makeAccount(client)).id, bank_account: bankAccountFields },
  }),
  'linked_bank_accounts.update': makeLinkedBankAccountCall({ bank_account: bankAccountFields }),
}

/**
 * Makes a request that the operation accepts: its entry in `happyCallMakers`, or, if its path has an id,
 * a request for the default object of the resource, or an empty request.
 */
export async function makeHappyCall(
  testContext: OperationTestContext,
  { id, path }: Operation,
): Promise<HappyCall> {
  const resource = id.slice(0, id.indexOf('.'))
  const makeCall =
    happyCallMakers[id] ?? (hasIdInPath({ path }) ? callMakersByResource[resource] : undefined)
  return makeCall ? makeCall(testContext) : {}
}
