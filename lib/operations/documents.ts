import type { AuthorizationDetails } from './payment-input.schema'

/** The payments that can have authorization proofs. */
export const resourcesWithDocuments = ['payouts', 'charges'] as const

/**
 * Paydesk's copy of an uploaded document. `not_kept`: no copies were kept when it was uploaded.
 * `expired`: the retention ended. `erased`: deleted with its customer.
 */
export type DocumentCopy = 'kept' | 'not_kept' | 'expired' | 'erased'

/**
 * A document that was uploaded through Paydesk. `id`: the action of the upload. `opened_at`: when
 * the signed-in person last opened it, or null.
 */
export type ProofDocument = {
  id: string
  name: string
  size: number
  sha256: string
  uploaded_by: string
  uploaded_at: string
  proof: AuthorizationDetails | 'unreadable' | null
  copy: DocumentCopy
  opened_at: string | null
}

/** `opened_at`: when the approver had last opened the document before deciding, or null. */
export type DecisionDocument = { id: string; sha256: string; opened_at: string | null }
