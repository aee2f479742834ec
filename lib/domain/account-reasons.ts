import { changeReasons } from './change-reasons'
import type { DecisionReason } from './decision-reasons'

/** The reasons offered for a change of an account. The service takes none: ours stays in the action book. */
export const accountReasons: readonly DecisionReason[] = [
  { code: 'BUSINESS_CHANGED', label: 'Business details changed', template: 'The business reported new details.' },
  changeReasons.corrected,
  changeReasons.documents,
  changeReasons.verification,
  changeReasons.metadata,
]
