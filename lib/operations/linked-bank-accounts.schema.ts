import * as z from 'zod'
import {
  id,
  idInput,
  maskedLastFour,
  metadata,
  openEnumValue,
  optionalId,
  optionalOf,
  optionalText,
  optionalTimestamp,
  stateReason,
  textList,
} from './common.schema'
import { linkedBankAccountStatuses, recordOwnerLevels } from './enumerations'
import {
  accountNumber,
  createOneLineTextSchema,
  createPagingFields,
  createRequiredTextSchema,
  metadataInput,
  oneOf,
  routingNumber,
} from './input.schema'
import { linkedBankAccountPurposes } from './linked-bank-accounts'

/**
 * Belongs to the platform if it has no `account_id`. Only the last four digits of its number remain
 * (provider facts 2.17).
 */
export const linkedBankAccount = z.object({
  id,
  account_id: optionalId,
  platform_id: optionalId,
  status: openEnumValue,
  status_detail: stateReason,
  bank_account: optionalOf(
    z.object({
      institution_name: optionalText,
      account_holder: optionalText,
      account_mask: maskedLastFour,
    }),
  ),
  purposes: textList,
  description: optionalText,
  metadata,
  created_at: optionalTimestamp,
  updated_at: optionalTimestamp,
})

export type LinkedBankAccount = z.output<typeof linkedBankAccount>

export const unmaskedLinkedBankAccount = z.object({
  id,
  account_id: optionalId,
  bank_account: optionalOf(
    z.object({
      institution_name: optionalText,
      account_holder: optionalText,
      routing_number: optionalText,
      account_number: optionalText,
    }),
  ),
})

export type UnmaskedLinkedBankAccount = z.output<typeof unmaskedLinkedBankAccount>

/** All filters of the list (provider facts 1.10). */
export const linkedBankAccountsFilter = z.strictObject({
  ...createPagingFields(['id', 'created_at'], 'id'),
  account_id: id.optional(),
  level: oneOf(recordOwnerLevels).optional(),
  purpose: oneOf(linkedBankAccountPurposes).optional(),
  status: oneOf(linkedBankAccountStatuses).optional(),
})

const bankAccountInput = z.strictObject({
  account_holder: createOneLineTextSchema(100, 'Enter the name of the account holder.'),
  routing_number: routingNumber,
  account_number: accountNumber,
})

/** Without `account_id` it belongs to the platform. Without `purposes` it serves all three. */
export const newLinkedBankAccount = z.strictObject({
  account_id: id.optional(),
  platform_id: id.optional(),
  bank_account: bankAccountInput,
  purposes: z
    .array(oneOf(linkedBankAccountPurposes))
    .min(1, 'Choose at least one purpose.')
    .refine((list) => new Set(list).size === list.length, 'Choose each purpose once.')
    .optional(),
  description: createRequiredTextSchema(200, 'Enter a reason.').optional(),
  metadata: metadataInput,
})

/** Replaces the bank details, in the states that the service permits (provider facts 1.10). */
export const linkedBankAccountUpdate = z.strictObject({
  id,
  bank_account: bankAccountInput,
  metadata: metadataInput,
})

export const linkedBankAccountSchemas = {
  'linked_bank_accounts.list': {
    input: linkedBankAccountsFilter,
    output: z.array(linkedBankAccount),
  },
  'linked_bank_accounts.get': { input: idInput, output: linkedBankAccount },
  'linked_bank_accounts.unmask': { input: idInput, output: unmaskedLinkedBankAccount },
  'linked_bank_accounts.create': { input: newLinkedBankAccount, output: linkedBankAccount },
  'linked_bank_accounts.update': { input: linkedBankAccountUpdate, output: linkedBankAccount },
  'linked_bank_accounts.cancel': { input: idInput, output: linkedBankAccount },
}
