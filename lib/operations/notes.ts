/** Records that people write notes on. */
export const notedResources = ['payouts', 'charges', 'paykeys', 'customers', 'accounts'] as const

export type NotedResource = (typeof notedResources)[number]

export const isNoted = (resource: string): resource is NotedResource => (notedResources as readonly string[]).includes(resource)

/** How long an author may withdraw a note (minutes). */
export const withdrawableFor = 15

/** The most characters of a note. */
export const longestNote = 2000

/** A note as a reader has it: `text` null where it was withdrawn, erased, or cannot be read any more; `may_withdraw` says whether the reader may. */
export type NoteView = {
  id: string
  author: string
  own: boolean
  text: string | null
  created_at: string
  withdrawn: { by: string; at: string } | null
  may_withdraw: boolean
}
