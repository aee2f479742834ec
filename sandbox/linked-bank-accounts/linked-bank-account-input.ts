import { z } from 'zod'
import { metadata, pattern, routingNumber, text, uuid } from '@/sandbox/http/read-body'
import { isRoutingNumber } from '@/sandbox/paykeys/bank-names'
import { linkedBankAccountPurposes } from './linked-bank-account-store'

const bankAccount = z.strictObject(
  {
    account_holder: text(100),
    routing_number: routingNumber.refine(
      // Skip anything but nine digits: that is rejected already.
      (digits) => digits.length !== 9 || isRoutingNumber(digits),
      'is no routing number: its check digit is wrong',
    ),
    account_number: pattern(/^\d{4,17}$/, 'must be 4 to 17 digits'),
  },
  'is required and must be an object',
)

const purposes = z
  .array(z.enum(linkedBankAccountPurposes, `must be one of ${linkedBankAccountPurposes.join(', ')}`), 'must be a list')
  .min(1, 'must name at least one purpose')
  .refine((list) => new Set(list).size === list.length, 'must name each purpose once')

/** `POST /v1/linked_bank_accounts`; without an account it belongs to the platform, without purposes it serves all three. */
export const createBody = z.strictObject({
  bank_account: bankAccount,
  account_id: uuid.nullish(),
  platform_id: uuid.nullish(),
  purposes: purposes.nullish(),
  description: text(200).nullish(),
  metadata: metadata.nullish(),
})

/** `PUT /v1/linked_bank_accounts/{id}`; missing or null metadata stays unchanged. */
export const updateBody = createBody.pick({ bank_account: true, metadata: true })
