export const resourcesWithNotes = [
  'payouts',
  'charges',
  'paykeys',
  'customers',
  'accounts',
] as const

export type ResourceWithNotes = (typeof resourcesWithNotes)[number]

export const isResourceWithNotes = (resource: string): resource is ResourceWithNotes =>
  (resourcesWithNotes as readonly string[]).includes(resource)

/** Minutes after writing a note in which its author may withdraw it. */
export const noteWithdrawalMinutes = 15

export const maxNoteLength = 2000

/**
 * `text`: null if the note was withdrawn or erased, or can no longer be decrypted. `own` and
 * `may_withdraw` are for the signed-in person.
 */
export type NoteView = {
  id: string
  author: string
  own: boolean
  text: string | null
  created_at: string
  withdrawn: { by: string; at: string } | null
  may_withdraw: boolean
}
