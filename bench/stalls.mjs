import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { findQuantile, printGoal, printTable } from './lib/figures.mjs'
import { cores } from './lib/pin.mjs'
import { startDashboard, startSandbox } from './lib/servers.mjs'

const rows = 500_000
/** Age of the oldest logged request in days. Requests older than 90 days are past retention. */
const days = 100

const insertRequestsSql = `insert into request_log (id, at, environment, operation, account_id, target, actor_id, request_id, api_request_id, status, took_ms)
  select gen_random_uuid(), now() - n * interval '${days} days' / ${rows}, 'sandbox', 'payouts.get', null, 'payouts/' || n,
    (select id from people limit 1), 'req_' || n, 'api_' || n, 200, 12 from generate_series(1, ${rows}) n`

/** Inserts the requests into the store of a dashboard that is stopped. */
async function insertRequests(data) {
  const db = await PGlite.create(join(data, 'store/pg'))
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

/** Sends up to a hundred requests a second for `minutes` minutes. Returns the milliseconds of each. */
async function timeRequests({ url }, minutes) {
  const waitTimes = []
  const endTime = performance.now() + minutes * 60_000
  while (performance.now() < endTime) {
    waitTimes.push(await timeRequest(`${url}/api/health`))
    await pause(10)
  }
  return waitTimes
}

/**
 * Measures the longest wait of a request while the embedded store, with half a million logged requests, is pruned and maintained. Runs for
 * eleven minutes, because some of this work used to run every ten minutes. `against` adds the build of another checkout.
 */
export async function stalls({ quick, pinned, against }) {
  const sandbox = await startSandbox(pinned ? { core: cores.rest } : {})
  const core = pinned ? { core: cores.subject } : {}
  const roots = [{ label: 'this build' }, ...(against ? [{ label: 'other build', root: against }] : [])]
  const desks = []
  try {
    for (const { label, ...root } of roots)
      desks.push({ label, ...(await startDashboard({ ...core, ...root, sandbox, prepare: insertRequests })) })
    const waitsByDesk = await Promise.all(desks.map((desk) => timeRequests(desk, quick ? 1 : 11)))
    const figures = waitsByDesk.map((waits) => [waits.length, findQuantile(waits, 0.99), findQuantile(waits, 0.999), Math.max(...waits)])
    printTable(
      ['', 'requests', 'p99 ms', 'p99.9 ms', 'longest ms'],
      figures.map(([count, ...times], at) => [desks[at].label, count, ...times.map((time) => time.toFixed(1))]),
    )
    console.info('')
    printGoal(`longest wait beside a log of ${rows} requests`, figures[0].at(-1), 100, { unit: ' ms', digits: 0 })
  } finally {
    for (const server of [...desks, sandbox]) await server.stop()
  }
}
