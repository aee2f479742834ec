import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { findQuantile, printGoal, printTable } from './lib/figures.mjs'
import { coreByRole } from './lib/pin.mjs'
import { startDashboard, startSandbox } from './lib/servers.mjs'

const requestCount = 500_000
/**
 * Age of the oldest request in days. The dashboard deletes requests after 90 days, so it has some
 * to delete.
 */
const oldestRequestDays = 100

const insertRequestsSql = `insert into request_log (id, at, environment, operation, account_id, target, actor_id, request_id, api_request_id, status, took_ms)
  select gen_random_uuid(), now() - n * interval '${oldestRequestDays} days' / ${requestCount}, 'sandbox', 'payouts.get', null, 'payouts/' || n,
    (select id from people limit 1), 'req_' || n, 'api_' || n, 200, 12 from generate_series(1, ${requestCount}) n`

/** The dashboard must be stopped. `dataFolder` is its data folder with the embedded store. */
async function insertRequests(dataFolder) {
  const db = await PGlite.create(join(dataFolder, 'store/pg'))
  await db.exec(insertRequestsSql)
  await db.close()
}

async function timeRequest(url) {
  const startedAt = performance.now()
  const sentRequest = request(url)
  sentRequest.end()
  const [response] = await once(sentRequest, 'response')
  for await (const _ of response);
  return performance.now() - startedAt
}

/** Sends up to a hundred requests a second. Returns the duration of each in milliseconds. */
async function timeHealthRequests({ url }, minutes) {
  const waitTimes = []
  const endTime = performance.now() + minutes * 60_000
  while (performance.now() < endTime) {
    waitTimes.push(await timeRequest(`${url}/api/health`))
    await pause(10)
  }
  return waitTimes
}

/**
 * Measures how long requests wait while the embedded store deletes old rows of half a million
 * logged requests and is vacuumed. Takes eleven minutes, because the deletion repeats every ten
 * minutes. `against` is the folder of another checkout, whose build is measured too.
 */
export async function stalls({ quick, pinned, against }) {
  const sandbox = await startSandbox(pinned ? { core: coreByRole.rest } : {})
  const coreOption = pinned ? { core: coreByRole.subject } : {}
  const buildsToCompare = [
    { label: 'this build' },
    ...(against ? [{ label: 'other build', root: against }] : []),
  ]
  const dashboards = []
  try {
    for (const { label, ...root } of buildsToCompare)
      dashboards.push({
        label,
        ...(await startDashboard({ ...coreOption, ...root, sandbox, prepare: insertRequests })),
      })
    const responseTimesByDesk = await Promise.all(
      dashboards.map((desk) => timeHealthRequests(desk, quick ? 1 : 11)),
    )
    const tableRows = responseTimesByDesk.map((responseTimes) => [
      responseTimes.length,
      findQuantile(responseTimes, 0.99),
      findQuantile(responseTimes, 0.999),
      Math.max(...responseTimes),
    ])
    printTable(
      ['', 'requests', 'p99 ms', 'p99.9 ms', 'longest ms'],
      tableRows.map(([count, ...times], at) => [
        dashboards[at].label,
        count,
        ...times.map((time) => time.toFixed(1)),
      ]),
    )
    console.info('')
    printGoal(`longest wait beside a log of ${requestCount} requests`, tableRows[0].at(-1), 100, {
      unit: ' ms',
      digits: 0,
    })
  } finally {
    for (const server of [...dashboards, sandbox]) await server.stop()
  }
}
