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
import { type Db, getDatabase } from '@/lib/server/store/store'
import { isSignatureValid, type Signature, signBytes } from './signing'

/**
 * A signature over the newest audit row (`seq`, `hash`) at the time `at`. `origin` is the hash of
 * the first row and identifies the chain. The heads in the heads file form a chain of their own:
 * `file` is the id of that file, `count` the position from 1, `prev` the hash of the previous head.
 * Heads that older versions wrote lack these three fields.
 */
export type SignedHead = {
  origin: string
  seq: number
  hash: string
  at: string
  file?: string
  count?: number
  prev?: string
} & Signature

/**
 * Pause between two signed heads. It is short, because rows that are newer than the last signed
 * head can be removed without detection.
 */
const headIntervalMs = 60_000

const getHeadsFilePath = () => path.join(readStoreSettings().dataDir, 'audit-heads.jsonl')

/** The id is in its own file, so that an emptied heads file can still be identified. */
const getHeadsIdFilePath = () => path.join(readStoreSettings().dataDir, 'audit-heads-id')

function readHeadsFileId(): string | null {
  const storedIdText = fs.existsSync(getHeadsIdFilePath())
    ? fs.readFileSync(getHeadsIdFilePath(), 'utf8').trim()
    : ''
  return isUuid(storedIdText) ? storedIdText : null
}

function ensureHeadsFileId(): string {
  const storedId = readHeadsFileId()
  if (storedId) return storedId
  fs.mkdirSync(path.dirname(getHeadsIdFilePath()), { recursive: true })
  const newFileId = readHeads().heads.at(-1)?.file ?? randomUUID()
  fs.writeFileSync(getHeadsIdFilePath(), newFileId, { mode: 0o600 })
  return newFileId
}

const toSignedBytes = ({
  origin,
  seq,
  hash,
  at,
  file,
  count,
  prev,
}: Omit<SignedHead, keyof Signature>): Buffer =>
  Buffer.from(
    count === undefined
      ? `paydesk-audit-head-1\n${origin}\n${seq}\n${hash}\n${at}`
      : `paydesk-audit-head-2\n${origin}\n${seq}\n${hash}\n${at}\n${file}\n${count}\n${prev}`,
  )

/** The next head in the file stores this hash as `prev`. */
export const hashHead = (head: SignedHead): string =>
  sha256(`${toSignedBytes(head).toString()}\n${head.signature}`)

const commonHeadShape = z.object({
  origin: z.string(),
  seq: z.int(),
  hash: z.string(),
  at: z.string(),
  key: z.string(),
  signature: z.string(),
})
const fileHeadShape = z.object({ file: z.string(), count: z.int(), prev: z.string() })

const isSignedHead = (value: unknown): value is SignedHead =>
  commonHeadShape.safeParse(value).success &&
  (!Object.hasOwn(value as object, 'count') || fileHeadShape.safeParse(value).success)

/** Returns the heads of the file, oldest first, and the lines that cannot be read. */
export function readHeads(): { heads: SignedHead[]; unreadable: UnreadableLine[] } {
  const { values, unreadable } = readJsonLines(getHeadsFilePath(), isSignedHead)
  return { heads: values, unreadable }
}

/**
 * Returns why a head does not follow the one before it; null if it does. Only older heads, at the
 * beginning of the file, have no `count`.
 */
function findLinkFault(
  head: SignedHead,
  before: SignedHead | undefined,
  position: number,
): string | null {
  if (head.count === undefined)
    return before?.count === undefined ? null : `a head of row ${head.seq} is out of place`
  if (head.count !== position) return `the head before that of row ${head.seq} is missing`
  return head.prev === (before ? hashHead(before) : '')
    ? null
    : `the head before that of row ${head.seq} was changed`
}

/** Returns the reason why the first wrong head does not follow its predecessor, or null. */
const findBrokenLink = (heads: readonly SignedHead[]): string | null =>
  heads.reduce<string | null>(
    (found, head, at) => found ?? findLinkFault(head, heads[at - 1], at + 1),
    null,
  )

/**
 * Compares the heads file with the heads that the store counted. Returns the first difference,
 * without a final period, or null.
 */
export async function findHeadsFault(db: Db): Promise<string | null> {
  const { heads, unreadable } = readHeads()
  if (unreadable.length > 0)
    return `${unreadable.length} lines of audit-heads.jsonl are not readable`
  const badlySignedHead = heads.find((head) => !isSignatureValid(toSignedBytes(head), head))
  if (badlySignedHead)
    return `none of the known keys signed the kept head of row ${badlySignedHead.seq}`
  const brokenLinkText = findBrokenLink(heads)
  if (brokenLinkText) return `${brokenLinkText}, in audit-heads.jsonl`
  const headFileRows = await db
    .select()
    .from(auditHeadFiles)
    .where(gt(auditHeadFiles.count, 0))
    .orderBy(desc(auditHeadFiles.seq))
  const fileId = readHeadsFileId() ?? heads.at(-1)?.file
  const headFileRow =
    headFileRows.find(({ id }) => id === fileId) ??
    (heads.length === 0 ? headFileRows[0] : undefined)
  if (!headFileRow) return null
  if (heads.length < headFileRow.count)
    return `audit-heads.jsonl has ${heads.length} signed heads, and had ${headFileRow.count}, the last of row ${headFileRow.seq}`
  const newestHead = heads[headFileRow.count - 1]
  return newestHead && hashHead(newestHead) === headFileRow.link
    ? null
    : `the signed head of row ${headFileRow.seq} was replaced in audit-heads.jsonl`
}

/** Returns the end of the chain as an unsigned head; null if the chain has no rows. */
async function readCurrentHead(
  db: Db,
): Promise<Pick<SignedHead, 'origin' | 'seq' | 'hash' | 'at'> | null> {
  const [head] = await db
    .select({ seq: auditHead.seq, hash: auditHead.hash })
    .from(auditHead)
    .where(eq(auditHead.id, 1))
  const [firstRow] = await db.select({ hash: audit.hash }).from(audit).where(eq(audit.seq, 1))
  if (!head || !firstRow) return null
  return { origin: firstRow.hash, seq: head.seq, hash: head.hash, at: new Date().toISOString() }
}

let lastHead: SignedHead | undefined
let headLineCount = 0

/**
 * Returns the newest head of the file. The file is read again only if the store counts more heads
 * than this process knows, because another process then wrote some.
 */
function readNewestHead(storedCount: number): SignedHead | undefined {
  if (!lastHead || storedCount > headLineCount) {
    const { heads } = readHeads()
    lastHead = heads.at(-1)
    headLineCount = heads.length
  }
  return lastHead
}

/**
 * Returns the head that the next head must follow. If the file lost heads, returns the last head
 * that the store counted, so that the gap remains detectable.
 */
function findHeadsFileEnd(
  fileRow: typeof auditHeadFiles.$inferSelect | undefined,
  newest: SignedHead | undefined,
) {
  if (fileRow && fileRow.count > headLineCount)
    return { seq: fileRow.seq, count: fileRow.count, prev: fileRow.link }
  return { seq: newest?.seq ?? 0, count: headLineCount, prev: newest ? hashHead(newest) : '' }
}

/**
 * Signs the current head if the chain has new rows, and writes it to the heads file and the log.
 * Returns the newest head in the file.
 */
export async function storeHead(): Promise<SignedHead | null> {
  const db = await getDatabase()
  return db.transaction(async (tx) => {
    const headsFileId = ensureHeadsFileId()
    await tx
      .insert(auditHeadFiles)
      .values({ id: headsFileId, count: 0, link: '', seq: 0 })
      .onConflictDoNothing()
    const [fileRow] = await tx
      .select()
      .from(auditHeadFiles)
      .where(eq(auditHeadFiles.id, headsFileId))
      .for('update')
    const previousHead = readNewestHead(fileRow?.count ?? 0)
    const head = await readCurrentHead(tx)
    const { seq, count, prev } = findHeadsFileEnd(fileRow, previousHead)
    // Signs nothing if the chain did not grow. A chain that is shorter than at the last head lacks
    // rows: see "After a restore" in docs/operations.md.
    if (!head || head.seq <= seq) return previousHead ?? null
    const newHead = { ...head, file: headsFileId, count: count + 1, prev }
    const signedHead: SignedHead = { ...newHead, ...signBytes(toSignedBytes(newHead)) }
    appendJsonLine(getHeadsFilePath(), signedHead)
    log.info({
      event: 'audit.head',
      seq: signedHead.seq,
      hash: signedHead.hash,
      key: signedHead.key,
      signature: signedHead.signature,
    })
    lastHead = signedHead
    headLineCount += 1
    await tx
      .update(auditHeadFiles)
      .set({ count: newHead.count, link: hashHead(signedHead), seq: signedHead.seq })
      .where(eq(auditHeadFiles.id, headsFileId))
    return signedHead
  })
}

/**
 * Renames the heads file, so that a new one begins after a restore. Returns the new path; null if
 * the file had no heads.
 */
export async function archiveHeadsFile(): Promise<string | null> {
  const newestSignedHead = readHeads().heads.at(-1)
  const fileId = readHeadsFileId()
  await (await getDatabase())
    .delete(auditHeadFiles)
    .where(fileId ? eq(auditHeadFiles.id, fileId) : undefined)
  fs.rmSync(getHeadsIdFilePath(), { force: true })
  lastHead = undefined
  headLineCount = 0
  if (!newestSignedHead) return null
  const archivePath = getHeadsFilePath().replace(
    '.jsonl',
    `-until-${new Date().toISOString().replaceAll(':', '')}.jsonl`,
  )
  fs.renameSync(getHeadsFilePath(), archivePath)
  return archivePath
}

/** True at the first start of an instance, or after `DATA_DIR` was emptied. */
const hasNoHeadsFiles = (): boolean =>
  !fs.existsSync(getHeadsFilePath()) && !fs.existsSync(getHeadsIdFilePath())

/**
 * Logs a problem if the row of the newest signed head is missing (rows were cut off, or an older
 * copy replaced the store), or if signed heads are missing.
 */
async function checkStoreAgainstHeads(): Promise<void> {
  if (await findHeadsFault(await getDatabase())) {
    if (hasNoHeadsFiles()) log.warn({ event: 'audit.no_heads' })
    else log.error({ event: 'audit.heads_changed' })
  }
  const newestStoredHead = readHeads().heads.at(-1)
  if (!newestStoredHead) return
  const [row] = await (await getDatabase())
    .select({ hash: audit.hash })
    .from(audit)
    .where(eq(audit.seq, newestStoredHead.seq))
  if (row?.hash !== newestStoredHead.hash)
    log.error({
      event: 'audit.head_missing',
      seq: newestStoredHead.seq,
      hash: newestStoredHead.hash,
    })
}

export function startHeadSigning(): { stop: () => void } {
  const logFailure = (error: unknown) => {
    metrics.headFailures.inc()
    log.error({ event: 'audit.head_not_kept', code: getErrorCode(error) })
  }
  const storeNextHead = () => void storeHead().catch(logFailure)
  void checkStoreAgainstHeads().catch(logFailure).then(storeNextHead)
  const timer = setInterval(storeNextHead, headIntervalMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
