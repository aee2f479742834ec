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
  isLostKeyError,
  readKeyId,
  UnknownKeyError,
} from '@/lib/server/store/encryption'
import { notes } from '@/lib/server/store/schema/desk'
import { people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'

/** The most notes that are read for one record. If there are more, only the newest are read. */
const maxNotesRead = 500
const noteBatchSize = 200
const noteBatchPauseMs = 20

type Note = typeof notes.$inferSelect

const toNoteAad = (id: string): string => `notes/${id}/text`

function decryptNoteText({ id, text }: Pick<Note, 'id' | 'text'>): string | null {
  if (!text) return null
  try {
    return decrypt(text, toNoteAad(id)).toString('utf8')
  } catch {
    log.warn({ event: 'note.unreadable' })
    return null
  }
}

const withdrawers = alias(people, 'withdrawers')

/** `isFresh`: can still be withdrawn. `text` is null if deleted or if it cannot be decrypted. */
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
  const noteRows = await db
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
  return noteRows.reverse().map((row) => ({ ...row, text: decryptNoteText(row.note) }))
}

/** Counts notes by encryption key id, for keys that are neither configured nor declared lost. */
export async function countUndecryptableNotes(db: Db): Promise<Map<string, number>> {
  const keyId = sql<string>`encode(substring(${notes.text} from 5 for 4), 'hex')`
  const keyCountRows = await db
    .select({ keyId, count: sql<number>`count(*)::int` })
    .from(notes)
    .where(isNotNull(notes.text))
    .groupBy(keyId)
  return new Map(
    keyCountRows
      .filter(({ keyId: id }) => !isKnownKey(id) && !isLostKeyError(new UnknownKeyError(id)))
      .map((row) => [row.keyId, row.count]),
  )
}

/**
 * The note itself (`id`) is not counted: it may exist already if the request is a retry. Locks the
 * author's row, so that parallel requests cannot exceed the limit.
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
  const waitSeconds = Math.max(blockingNote.seconds, 1)
  throw new AppError(
    'too_many',
    `You have reached the limit of ${hourlyLimit} notes per hour. Try again in ${toDurationText(waitSeconds)}`,
    {
      retryAfter: waitSeconds,
    },
  )
}

type NewNote = {
  id: string
  environment: Environment
  accountId: string | null
  target: string
  authorId: string
  text: string
}

/** Returns false if a note with this id exists. */
export async function addNote(tx: Db, { text, ...note }: NewNote): Promise<boolean> {
  const insertedRows = await tx
    .insert(notes)
    .values({ ...note, text: encrypt(Buffer.from(text), toNoteAad(note.id)) })
    .onConflictDoNothing()
    .returning({ id: notes.id })
  return insertedRows.length > 0
}

/** Returns false if the note has no text. */
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
    const noteBatch = await db
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
      .limit(noteBatchSize)
    if (noteBatch.length > 0) yield noteBatch
    if (noteBatch.length < noteBatchSize) return
    lastId = noteBatch.at(-1)?.id ?? lastId
  }
}

/** Deletes the texts of notes on `targets`, and of all notes that contain one of the words. */
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
      const lowerCaseText = decryptNoteText(note)?.toLowerCase() ?? ''
      return lowerCaseWords.some((word) => lowerCaseText.includes(word))
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
export async function reencryptNotes(): Promise<void> {
  const db = await getDatabase()
  for await (const rows of readNoteBatches(db, null)) {
    for (const note of rows) {
      const encryptedText = note.text as Buffer
      const decryptedText =
        readKeyId(encryptedText) === getCurrentKeyId() ? null : decryptNoteText(note)
      if (decryptedText === null) continue
      await db
        .update(notes)
        .set({ text: encrypt(Buffer.from(decryptedText), toNoteAad(note.id)) })
        .where(and(eq(notes.id, note.id), eq(notes.text, encryptedText)))
    }
    await pause(noteBatchPauseMs)
  }
}
