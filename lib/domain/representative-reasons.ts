import { changeReasons } from './change-reasons'
import type { DecisionReason } from './decision-reasons'

/** The reasons offered for a change of a representative. The service takes none: ours stays in the action book. */
export const representativeReasons: readonly DecisionReason[] = [
  { code: 'DETAILS_CHANGED', label: 'Personal details changed', template: 'The representative reported new personal details.' },
  {
    code: 'ROLE_CHANGED',
    label: 'Role or ownership changed',
    template: 'The role or ownership of the representative in the business changed.',
  },
  changeReasons.corrected,
  changeReasons.documents,
  changeReasons.verification,
  changeReasons.metadata,
]
