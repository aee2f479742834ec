import type { DecisionReason } from './decision-reasons'

/** The reasons offered when a customer is deleted; the code stays for good, the sentence goes with the customer. */
export const deletionReasons: readonly DecisionReason[] = [
  { code: 'DATA_SUBJECT_REQUEST', label: 'The person asked for it', template: 'Asked for by the person; the request was checked.' },
  { code: 'REGULATOR_ORDER', label: 'Ordered', template: 'Ordered by a regulator or a court; the order was checked.' },
  { code: 'RETENTION_END', label: 'Retention is over', template: 'The time to keep the record is over.' },
]
