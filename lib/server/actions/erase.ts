import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { eq, inArray, isNull, sql } from 'drizzle-orm'
import { errorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { renewNotes } from '@/lib/server/notes/notes'
import { decrypt } from '@/lib/server/store/encryption'
import { actions } from '@/lib/server/store/schema'
import { type Db, database } from '@/lib/server/store/store'
import { releasePayload } from './payloads'
import { renewProofs } from './proofs'
import { renewSeen } from './seen'

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** The ids in texts, each once: what may be kept of a body and an answer when they go. */
export const idsIn = (...texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => text.match(uuid) ?? []).map((id) => id.toLowerCase())),
]

/** Where the bytes of an action are, as they are bound to it. */
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

/** Rows taken at a time, and the pause after them (milliseconds): a big store must not stand still while it is gone through. */
const batch = 200
const pauseMs = 20

/** Answers stay as long as the service itself keeps its own for a replay (interface document, "Idempotency"). */
const answersKept = '24 hours'

const every = 10 * 60_000

const maySend = sql`${actions.state} in ('awaiting_approval', 'sending', 'unknown')`

/** Reads the ids out of rows that an older version wrote, and erases what it left of those that are never sent again. Gives how many there were. */
async function readBatch(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select({ id: actions.id, body: actions.body, answer: actions.answer })
      .from(actions)
      .where(isNull(actions.mentions))
      .orderBy(actions.id)
      .limit(batch)
      .for('update')
    for (const { id, body, answer } of rows) {
      const mentions = [...new Set([...idsInEncrypted(body, bodyPlace(id)), ...idsInEncrypted(answer, answerPlace(id))])]
      const [row] = await tx
        .update(actions)
        .set({ mentions, body: sql`case when ${maySend} then ${actions.body} end` })
        .where(eq(actions.id, id))
        .returning({ state: actions.state, payloadId: actions.payloadId })
      if (row && !['awaiting_approval', 'sending', 'unknown'].includes(row.state)) await releasePayload(tx, row.payloadId)
    }
    return rows.length
  })
}

/** Goes through all rows that an older version wrote; nothing to do after the first time. */
export async function readOlderRows(): Promise<void> {
  const db = await database()
  while ((await readBatch(db)) > 0) await pause(pauseMs)
}

/** Forgets the answers of actions that were settled a day ago: nobody replays them any more, and the object itself tells how it is now. */
async function forgetAnswers(): Promise<void> {
  const db = await database()
  const due = db
    .select({ id: actions.id })
    .from(actions)
    .where(
      sql`${actions.answer} is not null and ${actions.settledAt} < now() - ${answersKept}::interval and ${actions.mentions} is not null`,
    )
    .limit(batch)
  for (;;) {
    const gone = await db.update(actions).set({ answer: null }).where(inArray(actions.id, due)).returning({ id: actions.id })
    if (gone.length === 0) return
    await pause(pauseMs)
  }
}

/** Erases what no longer serves: at the start what an older version left, then answers as they become a day old. What stays takes the current key. */
export function startEraser(): { stop: () => void } {
  const failed = (error: unknown) => log.error({ event: 'erasing.failed', code: errorCode(error) })
  void readOlderRows().then(renewProofs).then(renewSeen).then(renewNotes).catch(failed)
  const timer = setInterval(() => void forgetAnswers().catch(failed), every)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
