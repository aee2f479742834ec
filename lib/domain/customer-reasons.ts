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
