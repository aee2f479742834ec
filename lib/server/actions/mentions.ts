import 'server-only'
import { decrypt } from '@/lib/server/encryption'

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** The ids in texts, each once: what may be kept of a body and an answer when they go. */
export const idsIn = (...texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => text.match(uuid) ?? []).map((id) => id.toLowerCase())),
]

/** Where the bytes of an action stand, as they are bound to it. */
export const bodyPlace = (id: string): string => `actions/${id}/body`

/** The same of its answer. */
export const answerPlace = (id: string): string => `actions/${id}/answer`

/** The ids in something encrypted; none where nothing is there, or nobody can read it any more. */
export function idsInEncrypted(encrypted: Buffer | null, place: string): string[] {
  if (!encrypted) return []
  try {
    return idsIn(decrypt(encrypted, place).toString('utf8'))
  } catch {
    return []
  }
}
