import fs from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import { findHeadsFault, readHeads } from '@/lib/server/audit/heads'
import { acceptRestore, archiveOutdatedHeads, readRestoreAcceptedAt } from '@/lib/server/audit/restore'
import { type SeenHead, verifyAudit } from '@/lib/server/audit/verify'
import { readStoreSettings } from '@/lib/server/config/store-settings'
import { closeStore, database } from '@/lib/server/store/store'
import { runCli } from './run-cli'

const getSeenFile = () => path.join(readStoreSettings().dataDir, 'audit-head.json')

/** Earlier versions wrote this file without `at`. */
const seenHeadSchema = z.object({ seq: z.number(), hash: z.string(), at: z.string().default('') })

/** Returns the head that the last verification wrote, or no head if a restored store was accepted after that verification. */
function readSeenHeads(acceptedAt: string | null): SeenHead[] {
  if (!fs.existsSync(getSeenFile())) return []
  const { success, data } = seenHeadSchema.safeParse(JSON.parse(fs.readFileSync(getSeenFile(), 'utf8')))
  if (success) return acceptedAt !== null && data.at < acceptedAt ? [] : [data]
  throw new Error(`${getSeenFile()} is not readable: the head seen last time cannot be compared. Look into it before removing it`)
}

const buildAsideMessage = (aside: string) => `the heads of before the restore are in ${aside}\n`

const reportBrokenChain = (where: string, why: string) => {
  process.stdout.write(`audit chain BROKEN ${where}: ${why}\n`)
  return 1
}

async function verifyChain(): Promise<number> {
  const db = await database()
  const archivedPath = await archiveOutdatedHeads(db)
  if (archivedPath) process.stdout.write(buildAsideMessage(archivedPath))
  const { heads } = readHeads()
  const verdict = await verifyAudit(db, [...heads, ...readSeenHeads(await readRestoreAcceptedAt(db))])
  if (verdict.bad) return reportBrokenChain(`at row ${verdict.bad.seq}`, verdict.bad.why)
  const fault = await findHeadsFault(db)
  if (fault) return reportBrokenChain('in its signed heads', fault)
  fs.mkdirSync(path.dirname(getSeenFile()), { recursive: true })
  fs.writeFileSync(getSeenFile(), JSON.stringify({ ...verdict.head, at: new Date().toISOString() }), { mode: 0o600 })
  const signedHeadsText = heads.length > 0 ? `, ${heads.length} signed heads up to row ${heads.at(-1)?.seq}` : ''
  process.stdout.write(`audit chain holds: ${verdict.rows} rows, head ${verdict.head.hash.slice(0, 16) || 'none'}${signedHeadsText}\n`)
  return 0
}

/**
 * Accepts a restored store, then verifies the chain. The restored chain may end before the newest signed head in the file outside the
 * store. The command therefore moves these heads to another file. Other instances do the same when they start or verify.
 */
async function acceptAndVerify(): Promise<number> {
  const aside = await acceptRestore()
  process.stdout.write(aside ? buildAsideMessage(aside) : 'there are no kept heads\n')
  return verifyChain()
}

async function main(): Promise<number> {
  const code = await (process.argv.includes('--accept-restore') ? acceptAndVerify() : verifyChain())
  await closeStore()
  return code
}

runCli(main)
