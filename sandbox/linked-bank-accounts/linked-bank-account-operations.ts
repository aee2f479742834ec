import { z } from 'zod'
import { requireConfigFlag } from '@/sandbox/accounts/configuration'
import { toStatusDetail } from '@/sandbox/accounts/verification'
import { makeInvalidFieldProblem } from '@/sandbox/http/problem'
import {
  makeEnumSchema,
  makePatternSchema,
  makeTextSchema,
  metadataInputSchema,
  routingNumberDigitsSchema,
  uuidSchema,
} from '@/sandbox/http/read-body'
import { makePagingParameters } from '@/sandbox/http/read-query'
import { directAccountRowNumber } from '@/sandbox/integration'
import { requireMove } from '@/sandbox/machine'
import type { Operation } from '@/sandbox/operation'
import { platformId } from '@/sandbox/organizations/organization-store'
import { findBankName, isRoutingNumber } from '@/sandbox/paykeys/bank-names'
import { defineTableResource } from '@/sandbox/resource'
import type { Sandbox } from '@/sandbox/sandbox'
import { makeTimestamps, toIsoTime } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import {
  getAccountOrPlatformId,
  getLinkedBankAccountState,
  linkedBankAccountMachine,
  listLiveLinkedBankAccounts,
  moveLinkedBankAccount,
  saveLinkedBankAccount,
  updateLinkedBankAccountSettings,
} from './linked-bank-account-machine'
import {
  type LinkedBankAccount,
  type LinkedBankAccountPurpose,
  linkedBankAccountPurposes,
  linkedBankAccountSchema,
  linkedBankAccountStatuses,
  unmaskedLinkedBankAccountSchema,
} from './linked-bank-account-store'

const bankAccountSchema = z.strictObject(
  {
    account_holder: makeTextSchema(100),
    routing_number: routingNumberDigitsSchema.refine(
      // Accept a number that has not nine digits here: `routingNumber` already rejects it, and a
      // value should have only one error.
      (digits) => digits.length !== 9 || isRoutingNumber(digits),
      'is no routing number: its check digit is wrong',
    ),
    account_number: makePatternSchema(/^\d{4,17}$/, 'must be 4 to 17 digits'),
  },
  'is required and must be an object',
)

const purposesSchema = z
  .array(
    z.enum(linkedBankAccountPurposes, `must be one of ${linkedBankAccountPurposes.join(', ')}`),
    'must be a list',
  )
  .min(1, 'must name at least one purpose')
  .refine((list) => new Set(list).size === list.length, 'must name each purpose once')

/**
 * Body of `POST /v1/linked_bank_accounts`. Without `account_id`, the bank account belongs to the
 * platform, or to the direct account if there is no platform. Without `purposes`, it serves all three purposes.
 */
const createLinkedBankAccountSchema = z.strictObject({
  bank_account: bankAccountSchema,
  account_id: uuidSchema.nullish(),
  platform_id: uuidSchema.nullish(),
  purposes: purposesSchema.nullish(),
  description: makeTextSchema(200).nullish(),
  metadata: metadataInputSchema.nullish(),
})

/** Body of an update. Missing or null metadata stays unchanged. */
const updateLinkedBankAccountSchema = createLinkedBankAccountSchema.pick({
  bank_account: true,
  metadata: true,
})

const bankAccountListQuerySchema = z.strictObject({
  ...makePagingParameters(['id', 'created_at']),
  account_id: uuidSchema.optional(),
  level: makeEnumSchema(['account', 'platform']).optional(),
  purpose: makeEnumSchema(linkedBankAccountPurposes).optional(),
  status: makeEnumSchema(linkedBankAccountStatuses).optional(),
})

type LinkedBankAccountInput = z.infer<typeof createLinkedBankAccountSchema>

const maskBankAccount = (
  enteredBankAccount: LinkedBankAccountInput['bank_account'],
): LinkedBankAccount['bank_account'] => ({
  institution_name:
    findBankName(enteredBankAccount.routing_number) ?? `Bank ${enteredBankAccount.routing_number}`,
  account_holder: enteredBankAccount.account_holder,
  routing_number: enteredBankAccount.routing_number,
  account_mask: enteredBankAccount.account_number.slice(-4),
})

function findAccountOrPlatform(
  { accounts, integration }: Sandbox,
  { account_id, platform_id }: LinkedBankAccountInput,
): { n: number | null; id: string | null } {
  const isDirectAccount = integration === 'account'
  if (platform_id && (isDirectAccount || platform_id.toLowerCase() !== platformId)) {
    throw makeInvalidFieldProblem(
      'There is no such platform.',
      'platform_id',
      'is not the platform of this API key',
    )
  }
  if (!account_id && isDirectAccount)
    return { n: directAccountRowNumber, id: accounts.idOf(directAccountRowNumber) }
  if (!account_id) return { n: null, id: null }
  const entry = accounts.get(account_id)
  if (!entry)
    throw makeInvalidFieldProblem(
      'There is no such account.',
      'account_id',
      'is not an account of this platform',
    )
  return { n: entry.n, id: entry.doc.id }
}

/**
 * Throws a 422 if another linked bank account of the same owner already serves one of the requested
 * purposes (provider-facts 1.10).
 */
function requireFreePurposes(
  sandbox: Sandbox,
  owner: number | null,
  requested: readonly LinkedBankAccountPurpose[],
): void {
  const takenPurposes = listLiveLinkedBankAccounts(sandbox, owner).flatMap(
    ({ doc }) => doc.purposes,
  )
  const duplicatePurposes = requested.filter((purpose) => takenPurposes.includes(purpose))
  if (duplicatePurposes.length === 0) return
  const detail = `another linked bank account already serves ${duplicatePurposes.join(', ')}`
  throw makeInvalidFieldProblem(
    'There may be one linked bank account for each purpose.',
    'purposes',
    detail,
  )
}

const linkedBankAccountResource = defineTableResource({
  name: 'linked_bank_accounts',
  account: 'forbidden',
  output: linkedBankAccountSchema,
  noun: 'linked bank account',
  table: ({ linkedBankAccounts }) => linkedBankAccounts,
  owner: ({ doc }) => getAccountOrPlatformId(doc),
})

export const linkedBankAccountOperations: readonly Operation[] = [
  linkedBankAccountResource.create(
    {
      summary: 'Link a bank account to an account, or to the platform',
      input: createLinkedBankAccountSchema,
    },
    ({ sandbox, input, now }) => {
      const accountOrPlatform = findAccountOrPlatform(sandbox, input)
      const purposes = [...(input.purposes ?? linkedBankAccountPurposes)]
      requireFreePurposes(sandbox, accountOrPlatform.n, purposes)
      const newBankAccount: LinkedBankAccount = {
        id: newId(now),
        ...{
          account_id: accountOrPlatform.id,
          platform_id: accountOrPlatform.id === null ? platformId : null,
        },
        ...{ status: 'created', status_detail: toStatusDetail('unverified') },
        bank_account: maskBankAccount(input.bank_account),
        ...{ purposes, description: input.description ?? null, metadata: input.metadata ?? {} },
        ...makeTimestamps(now),
      }
      const entry = sandbox.linkedBankAccounts.insert(accountOrPlatform.n, newBankAccount, {
        account_number: input.bank_account.account_number,
      })
      sandbox.events.created(
        {
          resource: 'linked_bank_account',
          accountId: getAccountOrPlatformId(newBankAccount),
          data: newBankAccount,
        },
        now,
      )
      updateLinkedBankAccountSettings(sandbox, accountOrPlatform.n, now)
      return entry
    },
  ),
  linkedBankAccountResource.list(
    {
      summary: 'List linked bank accounts',
      query: bankAccountListQuerySchema,
      output: linkedBankAccountSchema,
    },
    ({ account_id, level, purpose, status }, { accounts }) => [
      // An unknown account gets number 0, which no account has, so the list is empty.
      { column: 'account', is: account_id && (accounts.numberOf(account_id.toLowerCase()) ?? 0) },
      { column: 'level', is: level },
      { column: 'purposes', has: purpose },
      { column: 'status', is: status },
    ],
    (doc) => doc,
  ),
  linkedBankAccountResource.get('Look up a linked bank account'),
  linkedBankAccountResource.operation(
    {
      verb: 'unmask',
      summary: 'Look up a linked bank account with its whole account number',
      output: unmaskedLinkedBankAccountSchema,
    },
    ({ account, doc, secret }, { sandbox }) => {
      // A bank account of the platform (`account` is null) can always be unmasked.
      if (account !== null) requireConfigFlag(sandbox, account, 'allow_data_unmask')
      const { account_mask: _mask, ...bank } = doc.bank_account
      return { ...doc, bank_account: { ...bank, account_number: secret.account_number } }
    },
  ),
  linkedBankAccountResource.change(
    {
      verb: 'update',
      method: 'PUT',
      tail: '',
      summary: 'Correct the bank account before it is verified',
      input: updateLinkedBankAccountSchema,
    },
    (entry, { sandbox, input, now }) => {
      const { doc, secret } = entry
      requireMove(linkedBankAccountMachine, 'update', getLinkedBankAccountState(doc))
      doc.bank_account = maskBankAccount(input.bank_account)
      secret.account_number = input.bank_account.account_number
      if (input.metadata) doc.metadata = input.metadata
      doc.updated_at = toIsoTime(now)
      saveLinkedBankAccount(sandbox, entry, now)
      return entry
    },
  ),
  linkedBankAccountResource.change(
    {
      verb: 'cancel',
      method: 'PATCH',
      summary: 'Cancel a linked bank account that was never verified',
    },
    (entry, { sandbox, now }) =>
      moveLinkedBankAccount(sandbox, entry, 'cancel', now, { message: 'Cancelled on request' }),
  ),
]
