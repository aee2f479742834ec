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

/** Maximum length of a note, in characters. */
export const maxNoteLength = 2000

/**
 * A note for the signed-in person. `own`: the person wrote the note. `text` is null if the note was
 * withdrawn or erased, or if it can no longer be decrypted. `may_withdraw`: the person may withdraw
 * the note now.
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
