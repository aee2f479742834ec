import type { PaymentType } from '@/sandbox/payments/payment-values'
import type { Sandbox } from '@/sandbox/sandbox'
import type { FundingEvent } from './funding-event'

/** The account's bank account for a payment type as a funding event shows it, the number masked; null when none is linked. */
export function fundingBankOf(sandbox: Sandbox, account: number, type: PaymentType): FundingEvent['linked_bank_account_details'] {
  const id = sandbox.accounts.at(account)?.doc.settings[`${type}s`].linked_bank_account_id
  const linked = id ? sandbox.linkedBankAccounts.get(id)?.doc.bank_account : undefined
  if (!linked) return null
  const { account_mask, ...details } = linked
  return { ...details, account_number: `*****${account_mask}` }
}
