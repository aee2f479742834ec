import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { log } from '@/lib/server/log'
import { currentKeyId, decrypt, encrypt } from '@/lib/server/store/encryption'
import { actions } from '@/lib/server/store/schema'
import { database } from '@/lib/server/store/store'

/** Where it is, as it is bound to it. */
export const seenPlace = (id: string): string => `actions/${id}/seen`

/** Rows taken at a time, and the pause after them (milliseconds). */
const batch = 200
const pauseMs = 20

/** The object as whoever asked saw it; null where nothing was compared, a deletion took it out, or nobody can read it any more. */
export function seenIn({ id, seen }: { id: string; seen: Buffer | null }): unknown {
  if (!seen) return null
  try {
    return JSON.parse(decrypt(seen, seenPlace(id)).toString('utf8'))
  } catch {
    log.warn({ event: 'action.seen_unreadable', action_id: id })
    return null
  }
}

/** Encrypts under the current key what an earlier one was used for: what was seen is kept for years, and a key that was changed is to go. */
export async function renewSeen(): Promise<void> {
  const db = await database()
  const keyId = sql`encode(substring(${actions.seen} from 5 for 4), 'hex')`
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await db
      .select({ id: actions.id, seen: actions.seen })
      .from(actions)
      .where(and(isNotNull(actions.seen), ne(keyId, currentKeyId()), sql`${actions.id} > ${after}`))
      .orderBy(actions.id)
      .limit(batch)
    for (const row of rows) {
      const known = seenIn(row)
      if (known === null) continue
      const seen = encrypt(Buffer.from(JSON.stringify(known)), seenPlace(row.id))
      await db
        .update(actions)
        .set({ seen })
        .where(and(eq(actions.id, row.id), eq(actions.seen, row.seen as Buffer)))
    }
    after = rows.at(-1)?.id ?? ''
    if (after === '') return
    await pause(pauseMs)
  }
}
