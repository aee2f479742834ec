import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { Client } from 'pg'
import { printGoal, printTable } from './lib/figures.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { repositoryRoot } from './lib/servers.mjs'

const batchSize = 5000

/** Returns one audit row's body, with the typical length of a row for a released payout. */
const buildAuditBody = (seq) =>
  canonicalize({
    code: seq % 2 ? 'payouts.release.start' : 'payouts.release.applied',
    at: new Date(1_767_225_600_000 + seq * 1000).toISOString(),
    actor: '5b940cb4-ee6b-4c7a-a024-dcfc1026d0be',
    session: '79d651bf1cd7d85b',
    ip: '203.0.113.0/24',
    environment: 'production',
    account: '018cc2f6-bf80-7d23-9e47-869f6d86afb6',
    target: 'payouts/01a2178c-db89-7285-841d-d45c867e26c7',
    action: '390df9f5-627f-4bc4-b45d-3f85899d9cc3',
    request_id: 'req_52c8d746939b466a8f023726092c563a',
    body_sha256: '8b56211ded0fe5c9c40a1d02729e9ba958cd8ce34a2c0172719ec4932093999b',
  })

/** Each row contains the hash of the row before it, as in the dashboard. */
async function insertAuditChain(db, auditRowCount) {
  let prevHash = ''
  for (let first = 1; first <= auditRowCount; first += batchSize) {
    const columnValues = [[], [], [], []]
    for (let seq = first; seq < Math.min(first + batchSize, auditRowCount + 1); seq += 1) {
      const body = buildAuditBody(seq)
      const hash = createHash('sha256')
        .update(`paydesk-audit-1\n${seq}\n${prevHash}\n${body}`)
        .digest('hex')
      for (const [at, value] of [seq, body, prevHash, hash].entries()) columnValues[at].push(value)
      prevHash = hash
    }
    await db.query(
      'insert into audit (seq, body, prev, hash) select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[])',
      columnValues,
    )
  }
  await db.query('update audit_head set seq = $1, hash = $2', [auditRowCount, prevHash])
}

function timeCommand(command, env) {
  const startedAt = performance.now()
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(repositoryRoot, `build/${command}.mjs`)],
    {
      env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(`${command}: ${stdout}${stderr}`)
  return { seconds: (performance.now() - startedAt) / 1000, text: stdout.trim() }
}

/**
 * Measures how long the command `audit-verify` takes to verify the hashes of the whole audit log.
 */
export async function audit({ quick }) {
  const rowCount = quick ? 50_000 : 1_000_000
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-audit-'))
  const postgres = await startPostgres()
  const env = { DATABASE_URL: postgres.url, DATA_DIR: folder }
  const db = new Client(postgres.url)
  try {
    timeCommand('db-migrate', env)
    await db.connect()
    await insertAuditChain(db, rowCount)
    const timedVerifications = [1, 2, 3].map(() => timeCommand('audit-verify', env))
    printTable(
      [`${rowCount.toLocaleString('en-US')} rows`, 'seconds'],
      timedVerifications.map(({ seconds }, at) => [`pass ${at + 1}`, seconds.toFixed(1)]),
    )
    console.info(`  ${timedVerifications.at(-1)?.text}\n`)
    printGoal(
      'the whole record is verified in',
      Math.max(...timedVerifications.map(({ seconds }) => seconds)),
      30,
      { unit: ' s' },
    )
  } finally {
    await db.end()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
