import * as z from 'zod'
import { id, idInput, lastFour, maybe, maybeId, maybeTimestamp, metadata, statusDetail, text, textList, word } from './common.schema'
import { levels, linkedBankAccountStatuses } from './enumerations'
import { accountNumber, createPagingFields, metadataInput, oneOf, requiredLine, requiredText, routingNumber } from './input.schema'
import { purposes } from './linked-bank-accounts'

/**
 * A linked bank account of a business account, or of the platform if it has no `account_id`. Only the last four digits of its number remain
 * (provider facts 2.17).
 */
export const linkedBankAccount = z.object({
  id,
  account_id: maybeId,
  platform_id: maybeId,
  status: word,
  status_detail: statusDetail,
  bank_account: maybe(z.object({ institution_name: text, account_holder: text, account_mask: lastFour })),
  purposes: textList,
  description: text,
  metadata,
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

export type LinkedBankAccount = z.output<typeof linkedBankAccount>

/** The full routing number and account number of a linked bank account. */
export const unmaskedLinkedBankAccount = z.object({
  id,
  account_id: maybeId,
  bank_account: maybe(z.object({ institution_name: text, account_holder: text, routing_number: text, account_number: text })),
})

export type UnmaskedLinkedBankAccount = z.output<typeof unmaskedLinkedBankAccount>

/** All filters of the list (provider facts 1.10). */
export const linkedBankAccountsFilter = z.strictObject({
  ...createPagingFields(['id', 'created_at'], 'id'),
  account_id: id.optional(),
  level: oneOf(levels).optional(),
  purpose: oneOf(purposes).optional(),
  status: oneOf(linkedBankAccountStatuses).optional(),
})

const bankAccount = z.strictObject({
  account_holder: requiredLine(100, 'Enter the name of the account holder.'),
  routing_number: routingNumber,
  account_number: accountNumber,
})

/** A bank account to link. Without an account it belongs to the platform; without purposes it serves all three. */
export const newLinkedBankAccount = z.strictObject({
  account_id: id.optional(),
  platform_id: id.optional(),
  bank_account: bankAccount,
  purposes: z
    .array(oneOf(purposes))
    .min(1, 'Choose at least one purpose.')
    .refine((list) => new Set(list).size === list.length, 'Choose each purpose once.')
    .optional(),
  description: requiredText(200, 'Enter a reason.').optional(),
  metadata: metadataInput,
})

/** Input of a correction: the new bank account replaces the old one, while the service still permits it. Omitted metadata stays. */
export const linkedBankAccountUpdate = z.strictObject({ id, bank_account: bankAccount, metadata: metadataInput })

export const linkedBankAccountSchemas = {
  'linked_bank_accounts.list': { input: linkedBankAccountsFilter, output: z.array(linkedBankAccount) },
  'linked_bank_accounts.get': { input: idInput, output: linkedBankAccount },
  'linked_bank_accounts.unmask': { input: idInput, output: unmaskedLinkedBankAccount },
  'linked_bank_accounts.create': { input: newLinkedBankAccount, output: linkedBankAccount },
  'linked_bank_accounts.update': { input: linkedBankAccountUpdate, output: linkedBankAccount },
  'linked_bank_accounts.cancel': { input: idInput, output: linkedBankAccount },
}
