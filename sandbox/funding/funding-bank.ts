import type { PaymentType } from '@/sandbox/payments/payment-values'
import type { Sandbox } from '@/sandbox/sandbox'
import type { FundingEvent } from './funding-event'

/** Returns the account's bank account for a payment type with a masked number, as in a funding event; null if none is linked. */
export function fundingBankOf(sandbox: Sandbox, account: number, type: PaymentType): FundingEvent['linked_bank_account_details'] {
  const id = sandbox.accounts.at(account)?.doc.settings[`${type}s`].linked_bank_account_id
  const linked = id ? sandbox.linkedBankAccounts.get(id)?.doc.bank_account : undefined
  if (!linked) return null
  const { account_mask, ...details } = linked
  return { ...details, account_number: `*****${account_mask}` }
}
