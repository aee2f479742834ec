import { changeReasons } from './change-reasons'
import type { DecisionReason } from './decision-reasons'

/** How a review of a customer can be decided; the word the service takes. */
export type CustomerDecision = 'verified' | 'rejected'

/** The reasons offered for each decision. The service takes none: ours stays in the action book. */
export const customerReasons: Record<CustomerDecision, readonly DecisionReason[]> = {
  verified: [
    { code: 'DOCUMENTS_CHECKED', label: 'Documents were checked', template: 'Identity documents were received and fit the record.' },
    { code: 'FALSE_POSITIVE', label: 'False alarm', template: 'The finding was looked into and is about somebody else.' },
    { code: 'DATA_CORRECTED', label: 'Data was corrected', template: 'What did not match was a slip and has been corrected.' },
    { code: 'KNOWN_CUSTOMER', label: 'Known for long', template: 'A customer known for long, confirmed by a known channel.' },
  ],
  rejected: [
    { code: 'IDENTITY_MISMATCH', label: 'Identity does not match', template: 'The identity could not be matched to the documents.' },
    { code: 'WATCH_LIST_MATCH', label: 'On a watch list', template: 'The match with a watch list was confirmed.' },
    { code: 'SYNTHETIC_IDENTITY', label: 'Made-up identity', template: 'The identity shows the signs of a made-up one.' },
    { code: 'FRAUD_SIGNAL', label: 'Sign of fraud', template: 'The network reports fraud in connection with it.' },
    { code: 'NO_ANSWER', label: 'No answer', template: 'The documents asked for were not handed in.' },
  ],
}

/** What changes a customer: the form, or the switch that stops and allows new payments. */
export type CustomerChange = 'edit' | 'deactivate' | 'reactivate'

/** The reasons offered for each change. The service takes none: ours stays in the action book. */
export const customerChangeReasons: Readonly<Record<CustomerChange, readonly DecisionReason[]>> = {
  edit: [
    { code: 'CUSTOMER_REQUEST', label: 'Customer asked for it', template: 'The customer reported new details by a known channel.' },
    changeReasons.corrected,
    changeReasons.documents,
    changeReasons.metadata,
  ],
  deactivate: [
    { code: 'CUSTOMER_LEFT', label: 'Customer left', template: 'The customer no longer does business with the account.' },
    { code: 'FRAUD_SIGNAL', label: 'Sign of fraud', template: 'A sign of fraud has to be reviewed before new payments.' },
    { code: 'RISK_SIGNAL', label: 'Risk signal', template: 'A risk signal has to be reviewed before new payments.' },
    { code: 'DUPLICATE_RECORD', label: 'Duplicate record', template: 'The same customer is on record a second time.' },
  ],
  reactivate: [
    { code: 'CUSTOMER_RETURNED', label: 'Customer returned', template: 'The customer does business with the account again.' },
    { code: 'RISK_CLEARED', label: 'Risk cleared', template: 'The risk signal was reviewed and cleared.' },
    { code: 'DEACTIVATED_IN_ERROR', label: 'Deactivated in error', template: 'The customer was deactivated by mistake.' },
  ],
}

/** What a person has to have looked at before a decision is sent; each line is ticked. */
export const customerChecklists: Record<CustomerDecision, readonly string[]> = {
  verified: [
    'I looked at every module that did not pass.',
    'I compared watch list matches, if there are any, and they are about somebody else.',
  ],
  rejected: [
    'I looked for an innocent explanation of what did not pass.',
    'The customer will be told in neutral words, without scores or codes.',
  ],
}
