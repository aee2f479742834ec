import fs from 'node:fs'
import path from 'node:path'
import { type SeenHead, verifyAudit } from '@/lib/server/audit/chain'
import { storeSettings } from '@/lib/server/config/env'
import { closeStore, database } from '@/lib/server/store/store'
import { runCli } from './run-cli'

const seenFile = () => path.join(storeSettings().dataDir, 'audit-head.json')

function seenHead(): SeenHead | null {
  if (!fs.existsSync(seenFile())) return null
  const value: unknown = JSON.parse(fs.readFileSync(seenFile(), 'utf8'))
  const { seq, hash } = (value ?? {}) as Partial<SeenHead>
  if (typeof seq === 'number' && typeof hash === 'string') return { seq, hash }
  throw new Error(`${seenFile()} is not readable: the head seen last time cannot be compared. Look into it before removing it`)
}

async function main(): Promise<number> {
  const verdict = await verifyAudit(await database(), seenHead())
  await closeStore()
  if (verdict.bad) {
    process.stdout.write(`audit chain BROKEN at row ${verdict.bad.seq}: ${verdict.bad.why}\n`)
    return 1
  }
  fs.writeFileSync(seenFile(), JSON.stringify(verdict.head), { mode: 0o600 })
  process.stdout.write(`audit chain holds: ${verdict.rows} rows, head ${verdict.head.hash.slice(0, 16) || 'none'}\n`)
  return 0
}

runCli(main)
