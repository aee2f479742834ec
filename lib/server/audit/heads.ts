import 'server-only'
import fs from 'node:fs'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { storeSettings } from '@/lib/server/config/store-settings'
import { keepLine, keptLines } from '@/lib/server/kept-lines'
import { log } from '@/lib/server/log'
import { audit, auditHead } from '@/lib/server/store/schema'
import { type Db, database } from '@/lib/server/store/store'
import { recordAudit } from './chain'
import { isSigned, type Signature, signed } from './signing'

/** A head of the chain with who signed it. `origin` is the hash of the first row, which tells chains apart. */
export type SignedHead = { origin: string; seq: number; hash: string; at: string } & Signature

/** How often a head is signed where there is a new one (milliseconds). What was appended since can be cut unnoticed. */
const every = 60_000

const headsFile = () => path.join(storeSettings().dataDir, 'audit-heads.jsonl')

const bytesOf = ({ origin, seq, hash, at }: Omit<SignedHead, keyof Signature>): Buffer =>
  Buffer.from(`paydesk-audit-head-1\n${origin}\n${seq}\n${hash}\n${at}`)

function isHead(value: unknown): value is SignedHead {
  const head = (value ?? {}) as Partial<SignedHead>
  const texts = [head.origin, head.hash, head.at, head.key, head.signature]
  return Number.isSafeInteger(head.seq) && texts.every((text) => typeof text === 'string')
}

/** The signed heads that are kept beside the store, oldest first, and in how many lines there was none. */
export function keptHeads(): { heads: SignedHead[]; unreadable: number } {
  const { kept, unreadable } = keptLines(headsFile(), isHead)
  return { heads: kept, unreadable }
}

/** The first kept head that none of the trusted keys signed. */
export const unsignedHead = (heads: readonly SignedHead[]): SignedHead | null =>
  heads.find((head) => !isSigned(bytesOf(head), head)) ?? null

/** The head of the chain as it is now, signed; null while there is no row. */
async function headNow(db: Db): Promise<SignedHead | null> {
  const [head] = await db.select({ seq: auditHead.seq, hash: auditHead.hash }).from(auditHead).where(eq(auditHead.id, 1))
  const [first] = await db.select({ hash: audit.hash }).from(audit).where(eq(audit.seq, 1))
  if (!head || !first) return null
  const told = { origin: first.hash, seq: head.seq, hash: head.hash, at: new Date().toISOString() }
  return { ...told, ...signed(bytesOf(told)) }
}

let last: SignedHead | undefined

/** Signs the head where it is a new one and keeps it outside the store, in a file and in the log. Gives the newest kept one. */
export async function keepHead(): Promise<SignedHead | null> {
  last ??= keptHeads().heads.at(-1)
  const head = await headNow(await database())
  // A store that is shorter than what was signed of it gets no newer signature: see "After a restore" in docs/operations.md.
  if (!head || head.seq <= (last?.seq ?? 0)) return last ?? null
  keepLine(headsFile(), head)
  log.info({ event: 'audit.head', seq: head.seq, hash: head.hash, key: head.key, signature: head.signature })
  last = head
  return head
}

/** Puts the kept heads aside after a restore, and on record how far they went. Gives the file they are in; null where there are none. */
export async function moveHeadsAside(): Promise<string | null> {
  const newest = keptHeads().heads.at(-1)
  if (!newest) return null
  await recordAudit({ code: 'audit.restored.applied', actor: null, seen: { seq: newest.seq, hash: newest.hash } })
  const aside = headsFile().replace('.jsonl', `-until-${new Date().toISOString().replaceAll(':', '')}.jsonl`)
  fs.renameSync(headsFile(), aside)
  return aside
}

/** Says in the log that a store does not hold what was signed of it: a tail was cut, or an older copy put in its place. */
async function compareWithKept(): Promise<void> {
  const newest = keptHeads().heads.at(-1)
  if (!newest) return
  const [row] = await (await database()).select({ hash: audit.hash }).from(audit).where(eq(audit.seq, newest.seq))
  if (row?.hash !== newest.hash) log.error({ event: 'audit.head_missing', seq: newest.seq, hash: newest.hash })
}

/** Signs heads in the background. */
export function startHeads(): { stop: () => void } {
  const keep = () => void keepHead().catch(() => log.error({ event: 'audit.head_not_kept' }))
  void compareWithKept()
    .catch(() => log.error({ event: 'audit.head_not_kept' }))
    .then(keep)
  const timer = setInterval(keep, every)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
