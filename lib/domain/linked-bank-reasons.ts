import { changeReasons } from './change-reasons'
import type { DecisionReason } from './decision-reasons'

/** What is done to a linked bank account and needs a reason. */
export type LinkedBankAction = 'create' | 'update' | 'cancel'

const asked = { code: 'ACCOUNT_REQUEST', label: 'Account owner asked for it' }

/** The reasons offered for each. Money is settled with these bank accounts, and the service takes no reason: ours stays in the action book. */
export const linkedBankReasons: Readonly<Record<LinkedBankAction, readonly DecisionReason[]>> = {
  create: [
    { code: 'SETTLEMENT_SETUP', label: 'Settlement setup', template: 'The account needs a bank account for settlement or billing.' },
    { code: 'REPLACES_BANK_ACCOUNT', label: 'Replaces another one', template: 'This bank account replaces one that is no longer used.' },
    { ...asked, template: 'The account owner asked to be settled with this bank account.' },
  ],
  update: [
    { code: 'NUMBER_CORRECTED', label: 'Number corrected', template: 'The routing or account number was entered incorrectly.' },
    { code: 'HOLDER_CORRECTED', label: 'Account holder corrected', template: 'The name of the account holder was entered incorrectly.' },
    changeReasons.verification,
    changeReasons.metadata,
  ],
  cancel: [
    { code: 'LINKED_IN_ERROR', label: 'Linked in error', template: 'The bank account was linked by mistake.' },
    { code: 'BANK_ACCOUNT_CLOSED', label: 'Bank account is closed', template: 'The bank account was closed or replaced by another one.' },
    { ...asked, template: 'The account owner asked to stop using this bank account.' },
    { code: 'RISK_SIGNAL', label: 'Risk signal', template: 'A risk signal stands against using this bank account.' },
  ],
}
