import type { DecisionReason } from './decision-reasons'

/** Reasons for a change that fit whatever is changed. The service takes none for a change: ours stay in the action book. */
export const changeReasons = {
  corrected: { code: 'DATA_CORRECTED', label: 'Entry error corrected', template: 'An entry error in the record was corrected.' },
  documents: {
    code: 'DOCUMENTS_CHECKED',
    label: 'Confirmed by documents',
    template: 'The new details were compared with the documents received.',
  },
  verification: {
    code: 'VERIFICATION_REQUEST',
    label: 'Requested for verification',
    template: 'The verification asked for corrected details.',
  },
  metadata: { code: 'METADATA_UPDATED', label: 'Metadata updated', template: 'The metadata was updated to match our own records.' },
} satisfies Record<string, DecisionReason>
