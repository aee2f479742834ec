import type { DecisionReason } from './decision-reasons'

/** What a person decides about a paykey; each asks for a reason. */
export type PaykeyDecision = 'approve' | 'reject' | 'unblock' | 'cancel'

/**
 * The reasons offered for each (product 4.9). The service takes none for a review or an unblock: those stay in our record. That of a
 * cancellation is sent, so no template holds personal data.
 */
export const paykeyReasons: Readonly<Record<PaykeyDecision, readonly DecisionReason[]>> = {
  approve: [
    { code: 'OWNER_MATCHED', label: 'Owner matches', template: 'The name on the account is the customer’s; the difference is explained.' },
    { code: 'BANK_CONFIRMED', label: 'Bank confirmed', template: 'The bank confirmed the account and its holder.' },
    { code: 'MANUAL_ENTRY_VERIFIED', label: 'Typed details verified', template: 'The typed details were compared with a bank document.' },
  ],
  reject: [
    { code: 'OWNER_MISMATCH', label: 'Owner does not match', template: 'The account belongs to somebody who is not the customer.' },
    { code: 'BANK_DENIED', label: 'Bank did not confirm', template: 'The bank did not confirm the account or its holder.' },
    { code: 'DOCUMENT_MISSING', label: 'No document came', template: 'The document that was asked for did not come in time.' },
    { code: 'RISK_SIGNAL', label: 'Risk signal', template: 'A risk signal stands against using this bank account.' },
  ],
  unblock: [
    {
      code: 'BANK_ALLOWLIST_DONE',
      label: 'Bank allows the originator',
      template: 'The customer’s bank has put the originator on its list of allowed debits.',
    },
    { code: 'RETURN_EXPLAINED', label: 'Return is explained', template: 'The cause of the return was found and mended with the customer.' },
  ],
  cancel: [
    { code: 'CUSTOMER_REQUEST', label: 'Customer asked for it', template: 'The customer no longer wants this bank account used.' },
    { code: 'ACCOUNT_CLOSED', label: 'Bank account is closed', template: 'The bank account was closed or replaced by another one.' },
    { code: 'CONNECTED_IN_ERROR', label: 'Connected in error', template: 'The bank account was connected by mistake.' },
    { code: 'RISK_SIGNAL', label: 'Risk signal', template: 'A risk signal stands against using this bank account.' },
  ],
}

/** What has to have been looked at before each is sent; each line is ticked on its own. */
export const paykeyTicks: Readonly<Record<PaykeyDecision, readonly string[]>> = {
  approve: [],
  reject: ['A rejection is final: this paykey cannot be brought back.'],
  unblock: ['The cause of the return is understood.', 'The customer’s bank was told to allow the debits.'],
  cancel: ['A cancellation is final: the customer would have to connect the bank account anew.'],
}
