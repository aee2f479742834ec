import 'server-only'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { desc, eq, gt } from 'drizzle-orm'
import * as z from 'zod'
import { isUuid } from '@/lib/formats'
import { readStoreSettings } from '@/lib/server/config/store-settings'
import { metrics } from '@/lib/server/counters'
import { getErrorCode } from '@/lib/server/error-code'
import { appendJsonLine, readJsonLines, type UnreadableLine } from '@/lib/server/json-lines'
import { log } from '@/lib/server/log'
import { sha256 } from '@/lib/server/store/hashes'
import { audit, auditHead, auditHeadFiles } from '@/lib/server/store/schema/audit'
import { type Db, database } from '@/lib/server/store/store'
import { isSigned, type Signature, signBytes } from './signing'

/**
 * A signed head: the newest row of the audit chain at the time `at`. `origin` is the hash of the first row and identifies the chain. The
 * heads in a file form a chain of their own: `file` is the id of the file, `count` the position in it from 1, and `prev` the link of the
 * previous head, empty for the first. Heads of older versions have none of these three fields.
 */
export type SignedHead = { origin: string; seq: number; hash: string; at: string; file?: string; count?: number; prev?: string } & Signature

/** Milliseconds between two signed heads. Rows that were appended after the last signed head can be removed without being noticed. */
const intervalMs = 60_000

const getHeadsFilePath = () => path.join(readStoreSettings().dataDir, 'audit-heads.jsonl')

/** The file that contains the id of the heads file. It is separate, so that a heads file that was emptied can still be identified. */
const getIdFilePath = () => path.join(readStoreSettings().dataDir, 'audit-heads-id')

function readStoredFileId(): string | null {
  const id = fs.existsSync(getIdFilePath()) ? fs.readFileSync(getIdFilePath(), 'utf8').trim() : ''
  return isUuid(id) ? id : null
}

/** Returns the id of the heads file. Creates the id at first use. */
function ensureFileId(): string {
  const storedId = readStoredFileId()
  if (storedId) return storedId
  fs.mkdirSync(path.dirname(getIdFilePath()), { recursive: true })
  const id = readHeads().heads.at(-1)?.file ?? randomUUID()
  fs.writeFileSync(getIdFilePath(), id, { mode: 0o600 })
  return id
}

const toSignedBytes = ({ origin, seq, hash, at, file, count, prev }: Omit<SignedHead, keyof Signature>): Buffer =>
  Buffer.from(
    count === undefined
      ? `paydesk-audit-head-1\n${origin}\n${seq}\n${hash}\n${at}`
      : `paydesk-audit-head-2\n${origin}\n${seq}\n${hash}\n${at}\n${file}\n${count}\n${prev}`,
  )

/** Returns the hash that the next head in the file stores as `prev`. */
export const hashHead = (head: SignedHead): string => sha256(`${toSignedBytes(head).toString()}\n${head.signature}`)

const commonHeadShape = z.object({
  origin: z.string(),
  seq: z.int(),
  hash: z.string(),
  at: z.string(),
  key: z.string(),
  signature: z.string(),
})
const fileHeadShape = z.object({ file: z.string(), count: z.int(), prev: z.string() })

const isHead = (value: unknown): value is SignedHead =>
  commonHeadShape.safeParse(value).success && (!Object.hasOwn(value as object, 'count') || fileHeadShape.safeParse(value).success)

/** Returns the signed heads in the heads file, oldest first, and the unreadable lines. */
export function readHeads(): { heads: SignedHead[]; unreadable: UnreadableLine[] } {
  const { values, unreadable } = readJsonLines(getHeadsFilePath(), isHead)
  return { heads: values, unreadable }
}

/** Returns the reason why a head does not follow the previous one, or null. Heads without `count` are valid only at the beginning. */
function findLinkFault(head: SignedHead, before: SignedHead | undefined, position: number): string | null {
  if (head.count === undefined) return before?.count === undefined ? null : `a head of row ${head.seq} is out of place`
  if (head.count !== position) return `the head before that of row ${head.seq} is missing`
  return head.prev === (before ? hashHead(before) : '') ? null : `the head before that of row ${head.seq} was changed`
}

/** Returns the reason for the first head that does not follow the previous one; null if all do. */
const findBrokenLink = (heads: readonly SignedHead[]): string | null =>
  heads.reduce<string | null>((found, head, at) => found ?? findLinkFault(head, heads[at - 1], at + 1), null)

/** Returns the reason why the heads file differs from the heads that were written, without a final period; null if they match. */
export async function findHeadsFault(db: Db): Promise<string | null> {
  const { heads, unreadable } = readHeads()
  if (unreadable.length > 0) return `${unreadable.length} lines of audit-heads.jsonl are not readable`
  const unsignedHead = heads.find((head) => !isSigned(toSignedBytes(head), head))
  if (unsignedHead) return `none of the known keys signed the kept head of row ${unsignedHead.seq}`
  const brokenLinkText = findBrokenLink(heads)
  if (brokenLinkText) return `${brokenLinkText}, in audit-heads.jsonl`
  const files = await db.select().from(auditHeadFiles).where(gt(auditHeadFiles.count, 0)).orderBy(desc(auditHeadFiles.seq))
  const fileId = readStoredFileId() ?? heads.at(-1)?.file
  const headFile = files.find(({ id }) => id === fileId) ?? (heads.length === 0 ? files[0] : undefined)
  if (!headFile) return null
  if (heads.length < headFile.count)
    return `audit-heads.jsonl has ${heads.length} signed heads, and had ${headFile.count}, the last of row ${headFile.seq}`
  const newestHead = heads[headFile.count - 1]
  return newestHead && hashHead(newestHead) === headFile.link
    ? null
    : `the signed head of row ${headFile.seq} was replaced in audit-heads.jsonl`
}

/** Returns the current head of the chain; null if it has no rows. */
async function readCurrentHead(db: Db): Promise<Pick<SignedHead, 'origin' | 'seq' | 'hash' | 'at'> | null> {
  const [head] = await db.select({ seq: auditHead.seq, hash: auditHead.hash }).from(auditHead).where(eq(auditHead.id, 1))
  const [firstRow] = await db.select({ hash: audit.hash }).from(audit).where(eq(audit.seq, 1))
  if (!head || !firstRow) return null
  return { origin: firstRow.hash, seq: head.seq, hash: head.hash, at: new Date().toISOString() }
}

let lastHead: SignedHead | undefined
let lineCount = 0

/** Returns the newest head in the file. Reads the file again only if the store counts more heads than this process does. */
function readNewestHead(storedCount: number): SignedHead | undefined {
  if (!lastHead || storedCount > lineCount) {
    const { heads } = readHeads()
    lastHead = heads.at(-1)
    lineCount = heads.length
  }
  return lastHead
}

/**
 * Returns the row, position and link after which the next head continues. If the file lost heads, it continues after the last head that the
 * store counted, so that the gap stays visible.
 */
function findFileEnd(fileRow: typeof auditHeadFiles.$inferSelect | undefined, newest: SignedHead | undefined) {
  if (fileRow && fileRow.count > lineCount) return { seq: fileRow.seq, count: fileRow.count, prev: fileRow.link }
  return { seq: newest?.seq ?? 0, count: lineCount, prev: newest ? hashHead(newest) : '' }
}

/** Signs the current head if the chain has new rows, and keeps it in a file and in the log. Returns the newest head in the file. */
export async function storeHead(): Promise<SignedHead | null> {
  const db = await database()
  return db.transaction(async (tx) => {
    const file = ensureFileId()
    await tx.insert(auditHeadFiles).values({ id: file, count: 0, link: '', seq: 0 }).onConflictDoNothing()
    const [fileRow] = await tx.select().from(auditHeadFiles).where(eq(auditHeadFiles.id, file)).for('update')
    const previousHead = readNewestHead(fileRow?.count ?? 0)
    const head = await readCurrentHead(tx)
    const { seq, count, prev } = findFileEnd(fileRow, previousHead)
    // A chain that is shorter than at its last signed head gets no new signature: see "After a restore" in docs/operations.md.
    if (!head || head.seq <= seq) return previousHead ?? null
    const unsigned = { ...head, file, count: count + 1, prev }
    const signedHead: SignedHead = { ...unsigned, ...signBytes(toSignedBytes(unsigned)) }
    appendJsonLine(getHeadsFilePath(), signedHead)
    log.info({ event: 'audit.head', seq: signedHead.seq, hash: signedHead.hash, key: signedHead.key, signature: signedHead.signature })
    lastHead = signedHead
    lineCount += 1
    await tx
      .update(auditHeadFiles)
      .set({ count: unsigned.count, link: hashHead(signedHead), seq: signedHead.seq })
      .where(eq(auditHeadFiles.id, file))
    return signedHead
  })
}

/** Renames the heads file after a restore and deletes its row in the store. Returns the new file name; null if there were no heads. */
export async function moveHeadsAside(): Promise<string | null> {
  const newest = readHeads().heads.at(-1)
  const fileId = readStoredFileId()
  await (await database()).delete(auditHeadFiles).where(fileId ? eq(auditHeadFiles.id, fileId) : undefined)
  fs.rmSync(getIdFilePath(), { force: true })
  lastHead = undefined
  lineCount = 0
  if (!newest) return null
  const archivePath = getHeadsFilePath().replace('.jsonl', `-until-${new Date().toISOString().replaceAll(':', '')}.jsonl`)
  fs.renameSync(getHeadsFilePath(), archivePath)
  return archivePath
}

/** True if neither file exists: an instance starts for the first time, or `DATA_DIR` was emptied. */
const hasNoHeads = (): boolean => !fs.existsSync(getHeadsFilePath()) && !fs.existsSync(getIdFilePath())

/**
 * Logs a problem if the store lacks the row of the newest signed head (rows were cut off, or an older copy replaced the store), or if
 * signed heads are missing.
 */
async function checkStoreAgainstHeads(): Promise<void> {
  if (await findHeadsFault(await database())) {
    if (hasNoHeads()) log.warn({ event: 'audit.no_heads' })
    else log.error({ event: 'audit.heads_changed' })
  }
  const newest = readHeads().heads.at(-1)
  if (!newest) return
  const [row] = await (await database()).select({ hash: audit.hash }).from(audit).where(eq(audit.seq, newest.seq))
  if (row?.hash !== newest.hash) log.error({ event: 'audit.head_missing', seq: newest.seq, hash: newest.hash })
}

export function startHeads(): { stop: () => void } {
  const logFailure = (error: unknown) => {
    metrics.headFailures.inc()
    log.error({ event: 'audit.head_not_kept', code: getErrorCode(error) })
  }
  const storeNextHead = () => void storeHead().catch(logFailure)
  void checkStoreAgainstHeads().catch(logFailure).then(storeNextHead)
  const timer = setInterval(storeNextHead, intervalMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
