import { z } from 'zod'
import { invalidField, type ProblemItem, unprocessable } from '@/sandbox/http/problem'
import { enumField, externalId } from '@/sandbox/http/read-body'
import { paging, searchText } from '@/sandbox/http/read-query'
import {
  getLinkedBankAccountState,
  linkedBankAccountMachine,
  listLinkedBankAccounts,
  moveLinkedBankAccount,
} from '@/sandbox/linked-bank-accounts/linked-bank-account-machine'
import { assessMove, requireMove } from '@/sandbox/machine'
import type { Operation } from '@/sandbox/operation'
import { listRepresentatives, moveRepresentative, representativeMachine } from '@/sandbox/representatives/representative-machine'
import { defineResource, tableResource } from '@/sandbox/resource'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { account, accountStatuses, capabilityStatus, configuration, limits } from './account'
import { createBody, onboardBody, updateBody } from './account-input'
import { type AccountEntry, type AccountMove, accountMachine, moveAccount, newAccount, saveAccount } from './account-machine'

const nullableText = z.string().nullable()

const accountSettings = z
  .strictObject({
    charges: limits,
    payouts: limits,
    statement_settings: z.strictObject({ company_name: nullableText, company_id: nullableText, default_descriptor: nullableText }),
    payment_types: z.strictObject({ charges: capabilityStatus, payouts: capabilityStatus }),
    customer_types: z.strictObject({ individuals: capabilityStatus, businesses: capabilityStatus }),
    consent_types: z.strictObject({ internet: capabilityStatus, signed_agreement: capabilityStatus }),
    configuration,
  })
  .meta({ id: 'AccountSettings' })

function toAccountSettings({ doc, secret }: AccountEntry): z.infer<typeof accountSettings> {
  const { payment_types, customer_types, consent_types } = doc.capabilities
  const { name, tax_id } = doc.business_profile
  return {
    ...doc.settings,
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
    configuration: secret.configuration,
  }
}

const listQuery = z.strictObject({
  ...paging(['id', 'name', 'created_at']),
  search_text: searchText,
  status: enumField(accountStatuses).optional(),
  type: enumField(['business']).optional(),
  external_id: externalId.optional(),
})

/** Returns what an account still needs before onboarding (provider-facts 1.8, 2.16). */
function findMissingItems(sandbox: Sandbox, { n }: AccountEntry): ProblemItem[] {
  const items: ProblemItem[] = []
  if (!listRepresentatives(sandbox, n).some(({ doc }) => doc.relationship.control)) {
    items.push({ reference: 'representatives', detail: 'at least one with relationship.control is needed' })
  }
  if (listLinkedBankAccounts(sandbox, n).length === 0) {
    items.push({ reference: 'linked_bank_accounts', detail: 'at least one is needed' })
  }
  return items
}

/** Applies an account's move to its representatives and linked bank accounts. Skips objects whose state does not allow the move. */
function moveDependents(sandbox: Sandbox, { n }: AccountEntry, move: 'onboard' | 'verify', now: number): void {
  for (const entry of listRepresentatives(sandbox, n)) {
    if (assessMove(representativeMachine, move, entry.doc.status) === 'moves') moveRepresentative(sandbox, entry, move, now)
  }
  for (const entry of listLinkedBankAccounts(sandbox, n)) {
    if (assessMove(linkedBankAccountMachine, move, getLinkedBankAccountState(entry.doc)) === 'moves')
      moveLinkedBankAccount(sandbox, entry, move, now)
  }
}

const simulateQuery = z.strictObject({ final_status: enumField(['onboarding', 'active']).optional() })

function chooseSimulatedMove(status: AccountEntry['doc']['status'], requested: 'onboarding' | 'active' | undefined): AccountMove {
  if (requested !== undefined) return `simulate_${requested}`
  return assessMove(accountMachine, 'simulate_onboarding', status) === 'moves' ? 'simulate_onboarding' : 'simulate_active'
}

const accounts = tableResource({
  name: 'accounts',
  account: 'forbidden',
  parameter: 'account_id',
  output: account,
  noun: 'account',
  table: ({ accounts }) => accounts,
  owner: ({ doc }) => doc.id,
})
const settingsResource = defineResource({ ...accounts, name: 'account_settings', output: accountSettings, view: toAccountSettings })

export const accountOperations: readonly Operation[] = [
  accounts.list(
    { summary: 'List accounts', query: listQuery, output: account },
    (query) => (['status', 'type', 'external_id'] as const).map((column) => ({ column, is: query[column] })),
    (doc) => doc,
  ),
  accounts.create({ summary: 'Create an account in an organization', input: createBody }, ({ sandbox, input, now }) => {
    if (!sandbox.organizations.get(input.organization_id)) {
      throw invalidField('There is no such organization.', 'organization_id', 'is not an organization of this platform')
    }
    return newAccount(sandbox, input, now)
  }),
  accounts.get('Look up an account'),
  accounts.change(
    { verb: 'update', method: 'PUT', tail: '', summary: 'Replace the business profile of an account', input: updateBody },
    (entry, { sandbox, input, now }) => {
      const { doc } = entry
      doc.business_profile = input.business_profile
      if (input.metadata) doc.metadata = input.metadata
      if (input.external_id !== undefined) doc.external_id = input.external_id
      doc.updated_at = iso(now)
      saveAccount(sandbox, entry, now)
      return entry
    },
  ),
  accounts.change(
    {
      ...{ verb: 'onboard', method: 'POST', summary: 'Accept the terms and submit an account for verification' },
      ...{ status: 201, input: onboardBody },
    },
    (entry, { sandbox, now, input: { terms_of_service } }) => {
      requireMove(accountMachine, 'onboard', entry.doc.status)
      const items = findMissingItems(sandbox, entry)
      if (items.length > 0) throw unprocessable('The account is not complete enough to be onboarded.', items)
      const accepted_date = new Date(terms_of_service.accepted_date).toISOString()
      entry.doc.terms_of_service = { ...terms_of_service, accepted_date }
      moveAccount(sandbox, entry, 'onboard', now)
      moveDependents(sandbox, entry, 'onboard', now)
      return entry
    },
  ),
  accounts.change(
    {
      ...{ verb: 'simulate', method: 'POST', summary: 'Move a sandbox account to the next stage of onboarding, or to the one named' },
      ...{ status: 201, only: 'sandbox', query: simulateQuery },
    },
    (entry, { sandbox, now, query }) => {
      const move = chooseSimulatedMove(entry.doc.status, query.final_status)
      moveAccount(sandbox, entry, move, now)
      moveDependents(sandbox, entry, move === 'simulate_onboarding' ? 'onboard' : 'verify', now)
      return entry
    },
  ),
  settingsResource.get('Look up the settings of an account'),
]
