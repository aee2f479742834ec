export const notedResources = ['payouts', 'charges', 'paykeys', 'customers', 'accounts'] as const

export type NotedResource = (typeof notedResources)[number]

export const isNotedResource = (resource: string): resource is NotedResource => (notedResources as readonly string[]).includes(resource)

/** Minutes in which an author may withdraw a note. */
export const withdrawMinutes = 15

/** Maximum length of a note, in characters. */
export const maxNoteLength = 2000

/**
 * A note as the reader sees it. `text` is null if it was withdrawn or erased, or can no longer be decrypted. `may_withdraw` is true if the
 * reader may withdraw it.
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
