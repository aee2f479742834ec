import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { and, asc, desc, eq, gt, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { noteWithdrawalMinutes } from '@/lib/operations/notes'
import { env } from '@/lib/server/config/env'
import { log } from '@/lib/server/log'
import { toDurationText } from '@/lib/server/service/request'
import {
  decrypt,
  encrypt,
  getCurrentKeyId,
  isKnownKey,
  isLostKey,
  readKeyId,
  UnknownKeyError,
} from '@/lib/server/store/encryption'
import { notes } from '@/lib/server/store/schema/desk'
import { people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'

/**
 * Maximum number of notes that are read for a record. If there are more, only the newest ones are
 * read.
 */
const maxNotesRead = 500
/** Rows per batch, and the pause between batches (milliseconds). */
const batchSize = 200
const batchPauseMs = 20

type Note = typeof notes.$inferSelect

const toNoteAad = (id: string): string => `notes/${id}/text`

function decryptText({ id, text }: Pick<Note, 'id' | 'text'>): string | null {
  if (!text) return null
  try {
    return decrypt(text, toNoteAad(id)).toString('utf8')
  } catch {
    log.warn({ event: 'note.unreadable' })
    return null
  }
}

const withdrawers = alias(people, 'withdrawers')

/**
 * A note with the names of its author and of the person who withdrew it. `isFresh` is true while it
 * can be withdrawn. `text` is null if it was deleted or cannot be decrypted.
 */
export type NoteWithNames = {
  note: Note
  author: string
  withdrawer: string | null
  text: string | null
  isFresh: boolean
}

export async function listNotes(
  db: Db,
  environment: Environment,
  target: string,
): Promise<NoteWithNames[]> {
  const rows = await db
    .select({
      note: notes,
      author: people.name,
      withdrawer: withdrawers.name,
      isFresh: sql<boolean>`${notes.createdAt} > now() - make_interval(mins => ${noteWithdrawalMinutes})`,
    })
    .from(notes)
    .innerJoin(people, eq(people.id, notes.authorId))
    .leftJoin(withdrawers, eq(withdrawers.id, notes.withdrawnBy))
    .where(and(eq(notes.environment, environment), eq(notes.target, target)))
    .orderBy(desc(notes.createdAt), desc(notes.id))
    .limit(maxNotesRead)
  return rows.reverse().map((row) => ({ ...row, text: decryptText(row.note) }))
}

/**
 * Returns the ids of encryption keys that are needed to read notes, but are neither configured nor
 * declared lost. Each id has the number of its notes.
 */
export async function countMissingNoteKeys(db: Db): Promise<Map<string, number>> {
  const keyId = sql<string>`encode(substring(${notes.text} from 5 for 4), 'hex')`
  const rows = await db
    .select({ keyId, count: sql<number>`count(*)::int` })
    .from(notes)
    .where(isNotNull(notes.text))
    .groupBy(keyId)
  return new Map(
    rows
      .filter(({ keyId: id }) => !isKnownKey(id) && !isLostKey(new UnknownKeyError(id)))
      .map((row) => [row.keyId, row.count]),
  )
}

/**
 * Throws `too_many`, with the seconds to wait, if the author has reached the hourly limit. Notes
 * have the same limit as actions. The new note itself (`id`) is not counted, because it may exist
 * already if the request is a retry. Locks the row of the author, so that parallel requests cannot
 * exceed the limit.
 */
export async function requireNoteQuota(
  tx: Db,
  { id, authorId }: Pick<NewNote, 'id' | 'authorId'>,
): Promise<void> {
  const hourlyLimit = env().quotas.writesPerHour
  await tx.select({ id: people.id }).from(people).where(eq(people.id, authorId)).for('update')
  const [blockingNote] = await tx
    .select({
      seconds: sql<number>`ceil(extract(epoch from ${notes.createdAt} + interval '1 hour' - clock_timestamp()))::int`,
    })
    .from(notes)
    .where(
      and(
        eq(notes.authorId, authorId),
        ne(notes.id, id),
        gt(notes.createdAt, sql`clock_timestamp() - interval '1 hour'`),
      ),
    )
    .orderBy(desc(notes.createdAt))
    .offset(hourlyLimit - 1)
    .limit(1)
  if (!blockingNote) return
  const seconds = Math.max(blockingNote.seconds, 1)
  throw new AppError(
    'too_many',
    `You have reached the limit of ${hourlyLimit} notes per hour. Try again in ${toDurationText(seconds)}`,
    {
      retryAfter: seconds,
    },
  )
}

type NewNote = {
  id: string
  environment: Environment
  accountId: string
  target: string
  authorId: string
  text: string
}

/** Inserts a note. Returns false if a note with this id exists. */
export async function addNote(tx: Db, { text, ...note }: NewNote): Promise<boolean> {
  const insertedRows = await tx
    .insert(notes)
    .values({ ...note, text: encrypt(Buffer.from(text), toNoteAad(note.id)) })
    .onConflictDoNothing()
    .returning({ id: notes.id })
  return insertedRows.length > 0
}

/** Deletes the text of a note. Returns false if the note has no text. */
export async function withdrawNote(tx: Db, id: string, personId: string): Promise<boolean> {
  const withdrawnRows = await tx
    .update(notes)
    .set({ text: null, withdrawnAt: sql`now()`, withdrawnBy: personId })
    .where(and(eq(notes.id, id), isNotNull(notes.text)))
    .returning({ id: notes.id })
  return withdrawnRows.length > 0
}

async function* readNoteBatches(db: Db, environment: Environment | null): AsyncGenerator<Note[]> {
  let lastId = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await db
      .select()
      .from(notes)
      .where(
        and(
          isNotNull(notes.text),
          gt(notes.id, lastId),
          environment ? eq(notes.environment, environment) : undefined,
        ),
      )
      .orderBy(asc(notes.id))
      .limit(batchSize)
    if (rows.length > 0) yield rows
    if (rows.length < batchSize) return
    lastId = rows.at(-1)?.id ?? lastId
  }
}

/**
 * Deletes the texts of notes on these records, and of all notes that contain one of the words.
 * Returns the number of notes.
 */
export async function purgeNotes(
  tx: Db,
  environment: Environment,
  targets: readonly string[],
  words: readonly string[],
): Promise<number> {
  const lowerCaseWords = words.map((word) => word.toLowerCase())
  const matchingIds: string[] = []
  for await (const rows of readNoteBatches(tx, environment)) {
    const hasAnyWord = (note: Note) => {
      const text = decryptText(note)?.toLowerCase() ?? ''
      return lowerCaseWords.some((word) => text.includes(word))
    }
    matchingIds.push(
      ...rows
        .filter((note) => targets.includes(note.target) || hasAnyWord(note))
        .map(({ id }) => id),
    )
  }
  if (matchingIds.length === 0) return 0
  await tx.update(notes).set({ text: null }).where(inArray(notes.id, matchingIds))
  return matchingIds.length
}

/** Re-encrypts notes with the current key, so that an old key is no longer needed. */
export async function renewNotes(): Promise<void> {
  const db = await getDatabase()
  for await (const rows of readNoteBatches(db, null)) {
    for (const note of rows) {
      const text = note.text as Buffer
      const decryptedText = readKeyId(text) === getCurrentKeyId() ? null : decryptText(note)
      if (decryptedText === null) continue
      await db
        .update(notes)
        .set({ text: encrypt(Buffer.from(decryptedText), toNoteAad(note.id)) })
        .where(and(eq(notes.id, note.id), eq(notes.text, text)))
    }
    await pause(batchPauseMs)
  }
}
