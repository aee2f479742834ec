import autocannon from 'autocannon'
import { median, printGoal, printTable, quantile } from './lib/figures.mjs'
import { cores } from './lib/pin.mjs'
import { readCpuMs } from './lib/proc.mjs'
import { startDashboard, startSandbox } from './lib/servers.mjs'
import { signIn } from './lib/sign-in.mjs'

/** Runs one measurement. Times each response by its event, because autocannon's own latencies are whole milliseconds. */
async function measurePass({ url, headers, pid }, connections, duration) {
  const times = []
  const before = readCpuMs(pid)
  let failed = 0
  const run = autocannon({ url, headers, connections, duration })
  run.on('response', (_client, status, _bytes, ms) => {
    times.push(ms)
    if (status !== 200) failed += 1
  })
  const { errors, timeouts } = await run
  if (failed + errors + timeouts > 0) throw new Error(`${url}: ${failed} answers were not 200, ${errors} errors, ${timeouts} timeouts`)
  const cpu = (readCpuMs(pid) - before) / times.length
  return { rps: times.length / duration, p50: quantile(times, 0.5), p99: quantile(times, 0.99), cpu }
}

/** Measures all targets in turns for some rounds, so that other load on the machine affects all of them. Returns the medians by target. */
async function interleave(targets, connections, { rounds, duration }) {
  const passes = new Map(targets.map((target) => [target.name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) passes.get(target.name).push(await measurePass(target, connections, duration))
  }
  return new Map([...passes].map(([name, all]) => [name, medianFigures(all)]))
}

const medianFigures = (all) =>
  Object.fromEntries(['rps', 'p50', 'p99', 'cpu'].map((figure) => [figure, median(all.map((one) => one[figure]))]))

async function buildTargets(dashboard, payout, label) {
  const mine = await signIn(dashboard.url)
  const { account } = payout
  return [
    { name: `${label}health route`, url: `${dashboard.url}/api/health`, headers: mine, pid: dashboard.pid },
    {
      name: `${label}proxy`,
      url: `${dashboard.url}/api/sandbox/v1/payouts/${payout.id}?account=${account}`,
      headers: mine,
      pid: dashboard.pid,
    },
  ]
}

function report(connections, figures) {
  const empty = figures.get('health route')
  console.info(`\n  ${connections} connection${connections === 1 ? '' : 's'}`)
  const rows = [...figures].map(([name, { rps, p50, p99, cpu }]) => {
    const ratio = (rps / empty.rps).toFixed(2)
    return [name, rps.toFixed(0), p50.toFixed(2), p99.toFixed(2), cpu.toFixed(2), ratio, (p50 - empty.p50).toFixed(2)]
  })
  printTable(['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms each', 'of health', 'p50 over health'], rows)
}

const labels = ['', 'with a rate limit: ', 'other build: ']

/**
 * Measures a read through the dashboard. Compares it with a direct read at the service, and with the health route of the same build. Runs
 * with and without a configured rate limit. `against` adds the build of another checkout.
 */
export async function proxy({ quick, pinned, against }) {
  const on = (core) => (pinned ? { core } : {})
  const sandbox = await startSandbox(on(cores.rest))
  const createdPayout = await sandbox.ask('/sandbox/objects/payouts', { method: 'POST', body: '{}' })
  const payout = { id: createdPayout.id, account: `acct_${createdPayout.account_id}` }
  const dashboards = [await startDashboard({ ...on(cores.subject), sandbox })]
  // The limit is never reached, so only the cost of the check is measured.
  const settings = { SERVICE_SANDBOX_RATE_LIMIT: '99999' }
  dashboards.push(await startDashboard({ ...on(cores.subject), sandbox, settings }))
  if (against) dashboards.push(await startDashboard({ ...on(cores.subject), sandbox, root: against }))
  try {
    const headers = { authorization: `Bearer ${sandbox.key}`, 'service-account-id': payout.account }
    const targets = [{ name: 'sandbox, direct', url: `${sandbox.url}/v1/payouts/${payout.id}`, headers, pid: sandbox.pid() }]
    for (const [index, dashboard] of dashboards.entries()) {
      targets.push(...(await buildTargets(dashboard, payout, labels[index])))
    }
    for (const target of targets) await measurePass(target, 16, quick ? 2 : 5)
    const plan = quick ? { rounds: 3, duration: 1 } : { rounds: 7, duration: 4 }
    const alone = await interleave(targets, 1, plan)
    report(1, alone)
    const busy = await interleave(targets, 16, plan)
    report(16, busy)
    console.info('')
    const share = busy.get('proxy').rps / busy.get('health route').rps
    printGoal('proxy throughput against the empty route, 16 connections,', share, 0.7, { digits: 2, atLeast: true })
    const [mine, empty, direct] = ['proxy', 'health route', 'sandbox, direct'].map((name) => alone.get(name).p50)
    printGoal('p50 added to the direct call, 1 connection,', mine - direct, 1.5, { unit: ' ms', digits: 2 })
    console.info(`  of which the empty route itself takes ${empty.toFixed(2)} ms`)
  } finally {
    for (const server of [...dashboards, sandbox]) await server.stop()
  }
}
