import type { DecisionReason } from './decision-reasons'

/** The reasons offered for revealing what is masked. They stay in our record of the reveal and are never sent to the service. */
export const revealReasons: readonly DecisionReason[] = [
  { code: 'IDENTITY_CHECK', label: 'Check an identity', template: 'Compared with the documents that were handed in.' },
  { code: 'CUSTOMER_CONTACT', label: 'Get in touch', template: 'The customer has to be reached about an open case.' },
  { code: 'BANK_ENQUIRY', label: 'A bank asks', template: 'A bank asked about it and needs the full figures.' },
  { code: 'FRAUD_REVIEW', label: 'Suspected fraud', template: 'Looked into because of a sign of fraud.' },
  { code: 'SUPPORT_CASE', label: 'Support case', template: 'Needed to answer a support case.' },
  { code: 'DATA_SUBJECT_REQUEST', label: 'The person asked', template: 'The person asked what is kept about them.' },
  { code: 'REGULATOR_ORDER', label: 'A regulator asked', template: 'Asked for by a regulator or a court.' },
]
