import { linkBankAccount as linkToCustomer } from '@/sandbox/testing/link-bank-account'
import {
  anOrganization,
  bankAccount,
  linkBankAccount,
  makeAccount,
  makeRepresentative,
  person,
  profile,
} from '@/sandbox/testing/make-account'
import { customerBody, ownCustomer } from '@/sandbox/testing/own-customer'
import { happyPayments } from './happy-payments'
import { allowUnmask, completeAccount, type Stage } from './stage'

/** What an accepted request needs: the object in its path, its JSON body, the account in its header. Everything is made anew for each. */
export type HappyCall = { id?: string; body?: Record<string, unknown>; headers?: Record<string, string>; file?: true }

/** Makes what a request needs. */
export type MakeCall = (stage: Stage) => Promise<HappyCall>

const plain: MakeCall = async () => ({})

const customer =
  (outcome: string, body?: Record<string, unknown>): MakeCall =>
  async ({ client, account }) => {
    const { id } = await ownCustomer(client, account, { config: { sandbox_outcome: outcome } })
    return { id, ...(body ? { body } : {}) }
  }

const changedCustomer: MakeCall = async (stage) => {
  const { type: _type, ...body } = customerBody()
  return { ...(await customer('verified')(stage)), body: { ...body, status: 'verified' } }
}

const paykey =
  (outcome: string, body?: Record<string, unknown>): MakeCall =>
  async ({ client, account, customer: owner }) => {
    const { id } = await linkToCustomer(client, account, owner, { config: { sandbox_outcome: outcome } })
    return { id, ...(body ? { body } : {}) }
  }

const blockedPaykey: MakeCall = async ({ client, customer: customer_id }) => {
  const made = await client.payout({ customer_id, status: 'cancelled', paykey_status: 'blocked' })
  return { id: made.paykey_details.id, body: { message: 'Allow-listed' } }
}

let tokens = 0

const intake =
  (bank: () => Record<string, unknown>): MakeCall =>
  async ({ account, customer: customer_id }) => ({ body: { customer_id, ...bank() }, headers: account.headers })

const numbers = (name: string) => () => ({
  routing_number: '021000021',
  [name]: `88${process.pid}${String(++tokens).padStart(4, '0')}`,
  account_type: 'checking',
})
const token = (name: string) => () => ({ [name]: `processor-${process.pid}-${++tokens}` })

const anAccount =
  (make: (stage: Stage) => Promise<{ id: string }>, body?: Record<string, unknown>): MakeCall =>
  async (stage) => ({ id: (await make(stage)).id, ...(body ? { body } : {}) })

const made = ({ client }: Stage) => makeAccount(client)
const complete = ({ client }: Stage) => completeAccount(client)
const terms = { accepted_date: '2030-01-31T12:00:00Z', agreement_url: 'https://sable-finch.example.com/terms' }

const representative = (body?: Record<string, unknown>): MakeCall =>
  anAccount(async ({ client, account }) => {
    const relationship = { primary: false, control: false, owner: false }
    return makeRepresentative(client, account.id, { relationship })
  }, body)

const linked = (body?: Record<string, unknown>): MakeCall =>
  anAccount(async ({ client }) => {
    const { id } = await makeAccount(client)
    await allowUnmask(client, id)
    return linkBankAccount(client, id)
  }, body)

const capability = { internet: { enable: true } }

/** One accepted request for every operation, by its id. */
export const happyCalls: Readonly<Record<string, MakeCall>> = {
  ...happyPayments,
  'customers.list': plain,
  'customers.create': async ({ account }) => ({ body: customerBody(), headers: account.headers }),
  'customers.get': customer('verified'),
  'customers.update': changedCustomer,
  'customers.delete': customer('verified'),
  'customers.unmask': customer('verified'),
  'customers.review': customer('verified'),
  'customers.decide': customer('review', { status: 'verified' }),
  'customers.refresh_review': customer('review'),
  'bridge.initialize': intake(() => ({})),
  'bridge.bank_account': intake(numbers('account_number')),
  'bridge.tan': intake(numbers('tan')),
  'bridge.plaid': intake(token('plaid_token')),
  'bridge.quiltt': intake(token('quiltt_token')),
  'bridge.speedchex': intake(token('speedchex_token')),
  'paykeys.list': plain,
  'paykeys.get': paykey('active'),
  'paykeys.unmasked': paykey('active'),
  'paykeys.reveal': paykey('active'),
  'paykeys.review': paykey('active'),
  'paykeys.decide': paykey('review', { status: 'active' }),
  'paykeys.refresh_review': paykey('active'),
  'paykeys.refresh_balance': paykey('active'),
  'paykeys.cancel': paykey('active', { reason: 'Account closed' }),
  'paykeys.unblock': blockedPaykey,
  'capability_requests.create': async ({ account }) => ({ body: capability, headers: account.headers }),
  'capability_requests.list': plain,
  'capability_requests.create_for_account': anAccount(made, capability),
  'capability_requests.list_for_account': anAccount(made),
  'accounts.list': plain,
  'accounts.create': async ({ client }) => {
    const organization_id = await anOrganization(client)
    return { body: { organization_id, account_type: 'business', access_level: 'standard', business_profile: profile } }
  },
  'accounts.get': anAccount(made),
  'accounts.update': anAccount(made, { business_profile: profile }),
  'accounts.onboard': anAccount(complete, { terms_of_service: terms }),
  'accounts.simulate': anAccount(made),
  'account_settings.get': anAccount(made),
  'organizations.create': async () => ({ body: { name: 'Harbor Group' } }),
  'organizations.list': plain,
  'organizations.get': async ({ client }) => ({ id: await anOrganization(client) }),
  'representatives.create': async ({ client }) => ({ body: { account_id: (await makeAccount(client)).id, ...person } }),
  'representatives.list': plain,
  'representatives.get': representative(),
  'representatives.update': representative({ ...person, relationship: { primary: false, control: true, owner: false } }),
  'representatives.unmask': representative(),
  'linked_bank_accounts.create': async ({ client }) => ({
    body: { account_id: (await makeAccount(client)).id, bank_account: bankAccount },
  }),
  'linked_bank_accounts.list': plain,
  'linked_bank_accounts.get': linked(),
  'linked_bank_accounts.unmask': linked(),
  'linked_bank_accounts.update': linked({ bank_account: bankAccount }),
  'linked_bank_accounts.cancel': linked(),
}
