import fs from 'node:fs'
import path from 'node:path'
import { headsFault, keptHeads, moveHeadsAside } from '@/lib/server/audit/heads'
import { type SeenHead, verifyAudit } from '@/lib/server/audit/verify'
import { storeSettings } from '@/lib/server/config/store-settings'
import { closeStore, database } from '@/lib/server/store/store'
import { runCli } from './run-cli'

const seenFile = () => path.join(storeSettings().dataDir, 'audit-head.json')

function seenHead(): SeenHead[] {
  if (!fs.existsSync(seenFile())) return []
  const value: unknown = JSON.parse(fs.readFileSync(seenFile(), 'utf8'))
  const { seq, hash } = (value ?? {}) as Partial<SeenHead>
  if (typeof seq === 'number' && typeof hash === 'string') return [{ seq, hash }]
  throw new Error(`${seenFile()} is not readable: the head seen last time cannot be compared. Look into it before removing it`)
}

const broken = (where: string, why: string) => {
  process.stdout.write(`audit chain BROKEN ${where}: ${why}\n`)
  return 1
}

async function verify(): Promise<number> {
  const { heads } = keptHeads()
  const db = await database()
  const verdict = await verifyAudit(db, [...heads, ...seenHead()])
  if (verdict.bad) return broken(`at row ${verdict.bad.seq}`, verdict.bad.why)
  const fault = await headsFault(db)
  if (fault) return broken('in its signed heads', fault)
  fs.mkdirSync(path.dirname(seenFile()), { recursive: true })
  fs.writeFileSync(seenFile(), JSON.stringify(verdict.head), { mode: 0o600 })
  const signed = heads.length > 0 ? `, ${heads.length} signed heads up to row ${heads.at(-1)?.seq}` : ''
  process.stdout.write(`audit chain holds: ${verdict.rows} rows, head ${verdict.head.hash.slice(0, 16) || 'none'}${signed}\n`)
  return 0
}

/** After a restore the chain ends before heads that were kept of it: they are put aside, and a row says up to where. */
async function acceptRestore(): Promise<number> {
  const aside = await moveHeadsAside()
  fs.rmSync(seenFile(), { force: true })
  process.stdout.write(aside ? `the heads of before the restore are in ${aside}\n` : 'there are no kept heads\n')
  return verify()
}

async function main(): Promise<number> {
  const code = await (process.argv.includes('--accept-restore') ? acceptRestore() : verify())
  await closeStore()
  return code
}

runCli(main)
