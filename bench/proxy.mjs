import autocannon from 'autocannon'
import { findMedian, findQuantile, printGoal, printTable } from './lib/figures.mjs'
import { coreByRole } from './lib/pin.mjs'
import { readCpuMs } from './lib/proc.mjs'
import { startDashboard, startSandbox } from './lib/servers.mjs'
import { signIn } from './lib/sign-in.mjs'

/** Uses `response` events, because autocannon reports latencies in whole milliseconds. */
async function measureTargetOnce({ url, headers, pid }, connectionCount, duration) {
  const responseTimes = []
  const cpuBefore = readCpuMs(pid)
  let failedCount = 0
  const loadRun = autocannon({ url, headers, connections: connectionCount, duration })
  loadRun.on('response', (_client, status, _bytes, ms) => {
    responseTimes.push(ms)
    if (status !== 200) failedCount += 1
  })
  const { errors, timeouts } = await loadRun
  if (failedCount + errors + timeouts > 0)
    throw new Error(
      `${url}: ${failedCount} answers were not 200, ${errors} errors, ${timeouts} timeouts`,
    )
  const cpuMsPerRequest = (readCpuMs(pid) - cpuBefore) / responseTimes.length
  return {
    rps: responseTimes.length / duration,
    p50: findQuantile(responseTimes, 0.5),
    p99: findQuantile(responseTimes, 0.99),
    cpu: cpuMsPerRequest,
  }
}

/** Takes turns, so that other load on the machine affects all targets equally. */
async function measureInTurns(targets, connectionCount, { rounds, duration }) {
  const passesByTarget = new Map(targets.map((target) => [target.name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const target of targets)
      passesByTarget
        .get(target.name)
        .push(await measureTargetOnce(target, connectionCount, duration))
  }
  return new Map([...passesByTarget].map(([name, all]) => [name, findMedianFigures(all)]))
}

const findMedianFigures = (targetPasses) =>
  Object.fromEntries(
    ['rps', 'p50', 'p99', 'cpu'].map((figure) => [
      figure,
      findMedian(targetPasses.map((one) => one[figure])),
    ]),
  )

async function buildTargets(dashboard, payout, label) {
  const signInHeaders = await signIn(dashboard.url)
  const { account } = payout
  return [
    {
      name: `${label}health route`,
      url: `${dashboard.url}/api/health`,
      headers: signInHeaders,
      pid: dashboard.pid,
    },
    {
      name: `${label}proxy`,
      url: `${dashboard.url}/api/sandbox/v1/payouts/${payout.id}?account=${account}`,
      headers: signInHeaders,
      pid: dashboard.pid,
    },
  ]
}

function printReport(connectionCount, figures) {
  const healthFigures = figures.get('health route')
  console.info(`\n  ${connectionCount} connection${connectionCount === 1 ? '' : 's'}`)
  const tableRows = [...figures].map(([name, { rps, p50, p99, cpu }]) => {
    const ratio = (rps / healthFigures.rps).toFixed(2)
    return [
      name,
      rps.toFixed(0),
      p50.toFixed(2),
      p99.toFixed(2),
      cpu.toFixed(2),
      ratio,
      (p50 - healthFigures.p50).toFixed(2),
    ]
  })
  printTable(
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms each', 'of health', 'p50 over health'],
    tableRows,
  )
}

const dashboardLabels = ['', 'with a rate limit: ', 'other build: ']

/**
 * Measures a read of a payout through the dashboard, with and without a configured rate limit.
 * Compares it with a read directly at the service and with the health route of the dashboard.
 * `against` is the folder of another checkout, whose build is measured too.
 */
export async function proxy({ quick, pinned, against }) {
  const toCoreOption = (core) => (pinned ? { core } : {})
  const sandbox = await startSandbox(toCoreOption(coreByRole.rest))
  const createdPayout = await sandbox.ask('/sandbox/objects/payouts', {
    method: 'POST',
    body: '{}',
  })
  const payout = { id: createdPayout.id, account: `acct_${createdPayout.account_id}` }
  const dashboards = [await startDashboard({ ...toCoreOption(coreByRole.subject), sandbox })]
  // A limit that is never reached, so that only the cost of the check is measured.
  const settings = { SERVICE_SANDBOX_RATE_LIMIT: '99999' }
  dashboards.push(await startDashboard({ ...toCoreOption(coreByRole.subject), sandbox, settings }))
  if (against)
    dashboards.push(
      await startDashboard({ ...toCoreOption(coreByRole.subject), sandbox, root: against }),
    )
  try {
    const headers = { authorization: `Bearer ${sandbox.key}`, 'service-account-id': payout.account }
    const targets = [
      {
        name: 'sandbox, direct',
        url: `${sandbox.url}/v1/payouts/${payout.id}`,
        headers,
        pid: sandbox.pid(),
      },
    ]
    for (const [index, dashboard] of dashboards.entries()) {
      targets.push(...(await buildTargets(dashboard, payout, dashboardLabels[index])))
    }
    for (const target of targets) await measureTargetOnce(target, 16, quick ? 2 : 5)
    const measurementPlan = quick ? { rounds: 3, duration: 1 } : { rounds: 7, duration: 4 }
    const singleConnectionResults = await measureInTurns(targets, 1, measurementPlan)
    printReport(1, singleConnectionResults)
    const concurrentResults = await measureInTurns(targets, 16, measurementPlan)
    printReport(16, concurrentResults)
    console.info('')
    const rateShare = concurrentResults.get('proxy').rps / concurrentResults.get('health route').rps
    printGoal('proxy throughput against the empty route, 16 connections,', rateShare, 0.7, {
      digits: 2,
      atLeast: true,
    })
    const [mine, empty, direct] = ['proxy', 'health route', 'sandbox, direct'].map(
      (name) => singleConnectionResults.get(name).p50,
    )
    printGoal('p50 added to the direct call, 1 connection,', mine - direct, 1.5, {
      unit: ' ms',
      digits: 2,
    })
    console.info(`  of which the empty route itself takes ${empty.toFixed(2)} ms`)
  } finally {
    for (const server of [...dashboards, sandbox]) await server.stop()
  }
}
