import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { printGoal, printTable } from './lib/figures.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { startDashboard, startSandbox, waitUntilMirrorImported } from './lib/servers.mjs'

/** Matches a statement in PostgreSQL's log (simple or extended protocol), BEGIN and COMMIT too. */
const statementPattern = /LOG: {2}(?:statement|execute [^:]*):/g

const settlingTimeMs = 30_000
const minuteMs = 60_000

/**
 * Counts the SQL statements and the service calls of two idle dashboards in one minute. Both use
 * the same database.
 */
export async function idle({ payments }) {
  const sandbox = await startSandbox({ payments: Math.min(payments, 5000) })
  const postgres = await startPostgres({ logged: true })
  const createSecret = () => randomBytes(32).toString('base64url')
  const dashboardSettings = {
    DATABASE_URL: postgres.url,
    AUTH_SECRET: createSecret(),
    ENCRYPTION_KEY: createSecret(),
  }
  const dashboards = []
  try {
    for (const _ of ['one', 'two'])
      dashboards.push(await startDashboard({ sandbox, settings: dashboardSettings }))
    await waitUntilMirrorImported(dashboards[0].url)
    await pause(settlingTimeMs)
    const [statementsBefore, callsBefore] = [
      postgres.log().length,
      await readLastCallNumber(sandbox),
    ]
    await pause(minuteMs)
    const statementCount =
      postgres.log().slice(statementsBefore).match(statementPattern)?.length ?? 0
    const callCount = (await readLastCallNumber(sandbox)) - callsBefore
    printTable(
      ['two idle instances, in a minute', 'count'],
      [
        ['statements', statementCount],
        ['calls to the service', callCount],
      ],
    )
    printGoal('statements of two idle instances in a minute', statementCount, 200, {
      unit: '',
      digits: 0,
    })
    printGoal('calls to the service of two idle instances in a minute', callCount, 12, {
      unit: '',
      digits: 0,
    })
  } finally {
    for (const desk of dashboards) await desk.stop()
    await postgres.stop()
    await sandbox.stop()
  }
}

/** Returns the number of the last request that the sandbox logged before this one. */
async function readLastCallNumber(sandbox) {
  const { data } = await sandbox.ask('/sandbox/requests')
  return data.at(-1)?.seq ?? 0
}
