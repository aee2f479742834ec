import fs from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import { findHeadsFault, readHeads } from '@/lib/server/audit/heads'
import {
  acceptRestore,
  archiveOutdatedHeads,
  readRestoreAcceptedAt,
} from '@/lib/server/audit/restore'
import { type SeenHead, verifyAudit } from '@/lib/server/audit/verify'
import { readStoreSettings } from '@/lib/server/config/store-settings'
import { closeStore, getDatabase } from '@/lib/server/store/store'
import { runCli } from './run-cli'

const getSeenHeadFilePath = () => path.join(readStoreSettings().dataDir, 'audit-head.json')

/**
 * The head of the audit chain (number and hash of its last row) that the last verification stored
 * at the time `at`. A file without `at` counts as older than any restore.
 */
const seenHeadSchema = z.object({ seq: z.number(), hash: z.string(), at: z.string().default('') })

/**
 * Returns the head that the last verification stored. Returns none if a restored store was accepted
 * after that, because the chain may now be shorter.
 */
function readSeenHeads(acceptedAt: string | null): SeenHead[] {
  if (!fs.existsSync(getSeenHeadFilePath())) return []
  const { success, data } = seenHeadSchema.safeParse(
    JSON.parse(fs.readFileSync(getSeenHeadFilePath(), 'utf8')),
  )
  if (success) return acceptedAt !== null && data.at < acceptedAt ? [] : [data]
  throw new Error(
    `${getSeenHeadFilePath()} is not readable: the head seen last time cannot be compared. Look into it before removing it`,
  )
}

const buildArchivedHeadsMessage = (archivePath: string) =>
  `the heads of before the restore are in ${archivePath}\n`

const reportBrokenChain = (location: string, reason: string) => {
  process.stdout.write(`audit chain BROKEN ${location}: ${reason}\n`)
  return 1
}

async function verifyAuditChain(): Promise<number> {
  const db = await getDatabase()
  const archivedHeadsPath = await archiveOutdatedHeads(db)
  if (archivedHeadsPath) process.stdout.write(buildArchivedHeadsMessage(archivedHeadsPath))
  const { heads } = readHeads()
  const verdict = await verifyAudit(db, [
    ...heads,
    ...readSeenHeads(await readRestoreAcceptedAt(db)),
  ])
  if (verdict.bad) return reportBrokenChain(`at row ${verdict.bad.seq}`, verdict.bad.why)
  const headsFault = await findHeadsFault(db)
  if (headsFault) return reportBrokenChain('in its signed heads', headsFault)
  fs.mkdirSync(path.dirname(getSeenHeadFilePath()), { recursive: true })
  fs.writeFileSync(
    getSeenHeadFilePath(),
    JSON.stringify({ ...verdict.head, at: new Date().toISOString() }),
    { mode: 0o600 },
  )
  const signedHeadsText =
    heads.length > 0 ? `, ${heads.length} signed heads up to row ${heads.at(-1)?.seq}` : ''
  process.stdout.write(
    `audit chain holds: ${verdict.rows} rows, head ${verdict.head.hash.slice(0, 16) || 'none'}${signedHeadsText}\n`,
  )
  return 0
}

/**
 * Accepts a restored store and verifies its audit chain. The restored chain may end before the
 * newest head in this instance's file of signed heads, so that file is renamed. Other instances
 * rename their file, too.
 */
async function acceptRestoreAndVerify(): Promise<number> {
  const archivePath = await acceptRestore()
  process.stdout.write(
    archivePath ? buildArchivedHeadsMessage(archivePath) : 'there are no kept heads\n',
  )
  return verifyAuditChain()
}

async function main(): Promise<number> {
  const exitCode = await (process.argv.includes('--accept-restore')
    ? acceptRestoreAndVerify()
    : verifyAuditChain())
  await closeStore()
  return exitCode
}

runCli(main)
