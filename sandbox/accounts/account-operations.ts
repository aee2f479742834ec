import { z } from 'zod'
import { unprocessable } from '@/sandbox/http/problem'
import { externalId, word } from '@/sandbox/http/read-body'
import { pageOf, pageRequested, paging } from '@/sandbox/http/read-query'
import { listOperation, type Operation, objectOperation } from '@/sandbox/operation'
import { iso } from '@/sandbox/store/clock'
import { type Account, account, accountStatuses, type Configuration, capabilityStatus, configuration, limits } from './account'
import { createBody, updateBody } from './account-input'
import { newAccount, saveAccount } from './account-machine'
import { findAccount } from './find-account'
import { onboardAccount, simulateAccount } from './onboard-account'

const maybe = z.string().nullable()

/** Response of `GET /v1/account_settings/{account_id}`: limits, enabled capabilities, and the configuration. */
export const accountSettings = z
  .strictObject({
    charges: limits,
    payouts: limits,
    statement_settings: z.strictObject({ company_name: maybe, company_id: maybe, default_descriptor: maybe }),
    payment_types: z.strictObject({ charges: capabilityStatus, payouts: capabilityStatus }),
    customer_types: z.strictObject({ individuals: capabilityStatus, businesses: capabilityStatus }),
    consent_types: z.strictObject({ internet: capabilityStatus, signed_agreement: capabilityStatus }),
    configuration,
  })
  .meta({ id: 'AccountSettings' })

export function accountSettingsOf(account: Account, switches: Configuration): z.infer<typeof accountSettings> {
  const { payment_types, customer_types, consent_types } = account.capabilities
  const { name, tax_id } = account.business_profile
  return {
    charges: account.settings.charges,
    payouts: account.settings.payouts,
    statement_settings: {
      // A bank statement line has room for 16 characters of a company's name.
      company_name: name.slice(0, 16).toUpperCase(),
      company_id: tax_id,
      default_descriptor: name.slice(0, 80),
    },
    payment_types: { charges: payment_types.charges.capability_status, payouts: payment_types.payouts.capability_status },
    customer_types: {
      individuals: customer_types.individuals.capability_status,
      businesses: customer_types.businesses.capability_status,
    },
    consent_types: {
      internet: consent_types.internet.capability_status,
      signed_agreement: consent_types.signed_agreement.capability_status,
    },
    configuration: switches,
  }
}

const listQuery = z.strictObject({
  ...paging(['id', 'name', 'created_at']),
  search_text: z.string().max(200, 'must be at most 200 characters').optional(),
  status: word(accountStatuses).optional(),
  type: word(['business']).optional(),
  external_id: externalId.optional(),
})

const list = listOperation({
  id: 'accounts.list',
  method: 'GET',
  path: '/v1/accounts',
  summary: 'List accounts',
  account: 'forbidden',
  query: listQuery,
  output: account,
  handle: ({ sandbox, query }) => {
    const where = (['status', 'type', 'external_id'] as const).map((column) => ({ column, is: query[column] }))
    const { total, entries } = sandbox.accounts.page({ ...pageRequested(query, 'id'), where, search: query.search_text })
    const items = entries.map((entry) => entry.doc)
    return pageOf(query, 'id', total, items)
  },
})

const create = objectOperation({
  id: 'accounts.create',
  method: 'POST',
  path: '/v1/accounts',
  summary: 'Create an account in an organization',
  account: 'forbidden',
  status: 201,
  input: createBody,
  output: account,
  handle: ({ sandbox, input, now, effect }) => {
    if (!sandbox.organizations.get(input.organization_id)) {
      const detail = 'is not an organization of this platform'
      throw unprocessable('There is no such organization.', [{ reference: 'organization_id', detail }])
    }
    const createdAccount = newAccount(sandbox, input, now)
    effect({ target_id: createdAccount.id, account_id: createdAccount.id, from: '', to: createdAccount.status })
    return createdAccount
  },
})

const get = objectOperation({
  id: 'accounts.get',
  method: 'GET',
  path: '/v1/accounts/:account_id',
  summary: 'Look up an account',
  account: 'forbidden',
  output: account,
  handle: (call) => findAccount(call).doc,
})

const update = objectOperation({
  id: 'accounts.update',
  method: 'PUT',
  path: '/v1/accounts/:account_id',
  summary: 'Replace the business profile of an account',
  account: 'forbidden',
  input: updateBody,
  output: account,
  handle: (call) => {
    const { sandbox, input, now } = call
    const entry = findAccount(call)
    const { doc } = entry
    doc.business_profile = input.business_profile
    if (input.metadata) doc.metadata = input.metadata
    if (input.external_id !== undefined) doc.external_id = input.external_id
    doc.updated_at = iso(now)
    saveAccount(sandbox, entry, now)
    call.effect({ target_id: doc.id, account_id: doc.id, from: doc.status, to: doc.status })
    return doc
  },
})

const getSettings = objectOperation({
  id: 'account_settings.get',
  method: 'GET',
  path: '/v1/account_settings/:account_id',
  summary: 'Look up the settings of an account',
  account: 'forbidden',
  output: accountSettings,
  handle: (call) => {
    const { doc, secret } = findAccount(call)
    return accountSettingsOf(doc, secret.configuration)
  },
})

/** Operations on accounts and their settings; the path contains the account. */
export const accountOperations: readonly Operation[] = [list, create, get, update, onboardAccount, simulateAccount, getSettings]
