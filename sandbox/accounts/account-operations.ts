import { z } from 'zod'
import {
  makeInvalidFieldProblem,
  makeUnprocessableProblem,
  type ProblemItem,
} from '@/sandbox/http/problem'
import { externalIdSchema, makeEnumSchema } from '@/sandbox/http/read-body'
import { makePagingParameters, searchTextParameter } from '@/sandbox/http/read-query'
import {
  getLinkedBankAccountState,
  linkedBankAccountMachine,
  listLiveLinkedBankAccounts,
  moveLinkedBankAccount,
} from '@/sandbox/linked-bank-accounts/linked-bank-account-machine'
import { assessMove, requireMove } from '@/sandbox/machine'
import type { Operation } from '@/sandbox/operation'
import {
  listUnendedRepresentatives,
  moveRepresentative,
  representativeMachine,
} from '@/sandbox/representatives/representative-machine'
import { defineResource, defineTableResource } from '@/sandbox/resource'
import type { Sandbox } from '@/sandbox/sandbox'
import { toIsoTime } from '@/sandbox/store/clock'
import {
  accountConfigurationSchema,
  accountLimitsSchema,
  accountSchema,
  accountStatuses,
  capabilityStatusSchema,
} from './account'
import { createAccountSchema, onboardAccountSchema, updateAccountSchema } from './account-input'
import {
  type AccountEntry,
  type AccountMove,
  accountMachine,
  createAccount,
  moveAccount,
  saveAccount,
} from './account-machine'

const nullableTextSchema = z.string().nullable()

const accountSettingsSchema = z
  .strictObject({
    charges: accountLimitsSchema,
    payouts: accountLimitsSchema,
    statement_settings: z.strictObject({
      company_name: nullableTextSchema,
      company_id: nullableTextSchema,
      default_descriptor: nullableTextSchema,
    }),
    payment_types: z.strictObject({
      charges: capabilityStatusSchema,
      payouts: capabilityStatusSchema,
    }),
    customer_types: z.strictObject({
      individuals: capabilityStatusSchema,
      businesses: capabilityStatusSchema,
    }),
    consent_types: z.strictObject({
      internet: capabilityStatusSchema,
      signed_agreement: capabilityStatusSchema,
    }),
    configuration: accountConfigurationSchema,
  })
  .meta({ id: 'AccountSettings' })

function toAccountSettings({ doc, secret }: AccountEntry): z.infer<typeof accountSettingsSchema> {
  const { payment_types, customer_types, consent_types } = doc.capabilities
  const { name, tax_id } = doc.business_profile
  return {
    ...doc.settings,
    statement_settings: {
      // The bank statement shows at most 16 characters of the company name.
      company_name: name.slice(0, 16).toUpperCase(),
      company_id: tax_id,
      default_descriptor: name.slice(0, 80),
    },
    payment_types: {
      charges: payment_types.charges.capability_status,
      payouts: payment_types.payouts.capability_status,
    },
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

const accountListQuerySchema = z.strictObject({
  ...makePagingParameters(['id', 'name', 'created_at']),
  search_text: searchTextParameter,
  status: makeEnumSchema(accountStatuses).optional(),
  type: makeEnumSchema(['business']).optional(),
  external_id: externalIdSchema.optional(),
})

/** Lists what the account still lacks for onboarding (provider-facts 1.8, 2.16). */
function listOnboardingProblems(sandbox: Sandbox, { n }: AccountEntry): ProblemItem[] {
  const problemItems: ProblemItem[] = []
  if (!listUnendedRepresentatives(sandbox, n).some(({ doc }) => doc.relationship.control)) {
    problemItems.push({
      reference: 'representatives',
      detail: 'at least one with relationship.control is needed',
    })
  }
  if (listLiveLinkedBankAccounts(sandbox, n).length === 0) {
    problemItems.push({ reference: 'linked_bank_accounts', detail: 'at least one is needed' })
  }
  return problemItems
}

/**
 * Also makes the move for the account's representatives and linked bank accounts. Skips those whose
 * current status does not allow it.
 */
function moveAccountDependents(
  sandbox: Sandbox,
  { n }: AccountEntry,
  move: 'onboard' | 'verify',
  now: number,
): void {
  for (const entry of listUnendedRepresentatives(sandbox, n)) {
    if (assessMove(representativeMachine, move, entry.doc.status) === 'moves')
      moveRepresentative(sandbox, entry, move, now)
  }
  for (const entry of listLiveLinkedBankAccounts(sandbox, n)) {
    if (
      assessMove(linkedBankAccountMachine, move, getLinkedBankAccountState(entry.doc)) === 'moves'
    )
      moveLinkedBankAccount(sandbox, entry, move, now)
  }
}

const simulateQuerySchema = z.strictObject({
  final_status: makeEnumSchema(['onboarding', 'active']).optional(),
})

function chooseSimulatedMove(
  status: AccountEntry['doc']['status'],
  requestedStatus: 'onboarding' | 'active' | undefined,
): AccountMove {
  if (requestedStatus !== undefined) return `simulate_${requestedStatus}`
  return assessMove(accountMachine, 'simulate_onboarding', status) === 'moves'
    ? 'simulate_onboarding'
    : 'simulate_active'
}

const accountResource = defineTableResource({
  name: 'accounts',
  account: 'forbidden',
  parameter: 'account_id',
  output: accountSchema,
  noun: 'account',
  table: ({ accounts }) => accounts,
  owner: ({ doc }) => doc.id,
})
const settingsResource = defineResource({
  ...accountResource,
  name: 'account_settings',
  output: accountSettingsSchema,
  view: toAccountSettings,
})

export const accountOperations: readonly Operation[] = [
  accountResource.list(
    { summary: 'List accounts', query: accountListQuerySchema, output: accountSchema },
    (query) =>
      (['status', 'type', 'external_id'] as const).map((column) => ({ column, is: query[column] })),
    (doc) => doc,
  ),
  accountResource.create(
    {
      summary: 'Create an account in an organization',
      needsPlatform: true,
      input: createAccountSchema,
    },
    ({ sandbox, input, now }) => {
      if (!sandbox.organizations.get(input.organization_id)) {
        throw makeInvalidFieldProblem(
          'There is no such organization.',
          'organization_id',
          'is not an organization of this platform',
        )
      }
      return createAccount(sandbox, input, now)
    },
  ),
  accountResource.get('Look up an account'),
  accountResource.change(
    {
      verb: 'update',
      method: 'PUT',
      tail: '',
      summary: 'Replace the business profile of an account',
      input: updateAccountSchema,
    },
    (entry, { sandbox, input, now }) => {
      const { doc } = entry
      doc.business_profile = input.business_profile
      if (input.metadata) doc.metadata = input.metadata
      if (input.external_id !== undefined) doc.external_id = input.external_id
      doc.updated_at = toIsoTime(now)
      saveAccount(sandbox, entry, now)
      return entry
    },
  ),
  accountResource.change(
    {
      ...{
        verb: 'onboard',
        method: 'POST',
        summary: 'Accept the terms and submit an account for verification',
      },
      ...{ status: 201, needsPlatform: true, input: onboardAccountSchema },
    },
    (entry, { sandbox, now, input: { terms_of_service } }) => {
      requireMove(accountMachine, 'onboard', entry.doc.status)
      const onboardingProblems = listOnboardingProblems(sandbox, entry)
      if (onboardingProblems.length > 0)
        throw makeUnprocessableProblem(
          'The account is not complete enough to be onboarded.',
          onboardingProblems,
        )
      const accepted_date = new Date(terms_of_service.accepted_date).toISOString()
      entry.doc.terms_of_service = { ...terms_of_service, accepted_date }
      moveAccount(sandbox, entry, 'onboard', now)
      moveAccountDependents(sandbox, entry, 'onboard', now)
      return entry
    },
  ),
  accountResource.change(
    {
      ...{
        verb: 'simulate',
        method: 'POST',
        summary: 'Move a sandbox account to the next stage of onboarding, or to the one named',
      },
      ...{ status: 201, only: 'sandbox', needsPlatform: true, query: simulateQuerySchema },
    },
    (entry, { sandbox, now, query }) => {
      const move = chooseSimulatedMove(entry.doc.status, query.final_status)
      moveAccount(sandbox, entry, move, now)
      moveAccountDependents(
        sandbox,
        entry,
        move === 'simulate_onboarding' ? 'onboard' : 'verify',
        now,
      )
      return entry
    },
  ),
  settingsResource.get('Look up the settings of an account'),
]
