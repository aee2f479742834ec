import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { findQuantile, printGoal, printTable } from './lib/figures.mjs'
import { coreByRole } from './lib/pin.mjs'
import { startDashboard, startSandbox } from './lib/servers.mjs'
import { sendWithStepUp, signIn } from './lib/sign-in.mjs'

const callsPerSecond = 20
const tabCount = 50
const acknowledgedWarnings =
  'documents_warn,paykey_unknown,customer_unknown,limit_single_unknown,limit_day_warn:1,limit_month_warn:1'

/** Releases a payout as the form does. Returns the milliseconds from request to response. */
async function releasePayout({ url, headers }, sandbox) {
  const { id, account_id: account } = await sandbox.ask('/sandbox/objects/payouts', {
    method: 'POST',
    body: '{}',
  })
  const startedAt = performance.now()
  const response = await sendWithStepUp(
    url,
    headers,
    `/api/sandbox/v1/payouts/${id}/release?account=acct_${account}`,
    {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': `pdk_${randomUUID().replaceAll('-', '')}`,
        'action-warnings': acknowledgedWarnings,
      },
      body: JSON.stringify({ reason: 'AUTH_PROOF_OK: the proof was received and checked' }),
    },
  )
  const responseText = await response.text()
  if (!response.ok) throw new Error(`a release: ${response.status} ${responseText}`)
  return performance.now() - startedAt
}

async function timeReleases(desk, sandbox, count) {
  const releaseTimes = []
  for (let at = 0; at < count; at += 1) {
    releaseTimes.push(await releasePayout(desk, sandbox))
    await pause(500)
  }
  return releaseTimes
}

/**
 * Simulates tabs that request a list without pause. `close` ends them and returns how many requests
 * were `answered` and how many were refused (`shed`).
 */
function simulateTabs({ url, headers }) {
  const responseCounts = { answered: 0, shed: 0 }
  let areTabsClosed = false
  const runTab = async () => {
    while (!areTabsClosed) {
      const response = await fetch(`${url}/api/sandbox/v1/payments?page_size=25`, { headers })
      await response.arrayBuffer()
      responseCounts[response.ok ? 'answered' : 'shed'] += 1
    }
  }
  const tabPromises = Array.from({ length: tabCount }, runTab)
  const closeTabs = async () => {
    areTabsClosed = true
    await Promise.all(tabPromises)
    return responseCounts
  }
  return { close: closeTabs }
}

/**
 * Measures how much longer it takes to release a payout while fifty open tabs and a full import use
 * the same rate limit.
 */
export async function release({ quick, pinned }) {
  const sandbox = await startSandbox({
    payments: 5000,
    ...(pinned ? { core: coreByRole.rest } : {}),
  })
  const coreOption = pinned ? { core: coreByRole.subject } : {}
  const limitSettings = { SERVICE_SANDBOX_RATE_LIMIT: String(callsPerSecond) }
  const releaseCount = quick ? 5 : 20
  const startedDashboards = []
  const startSignedInDashboard = async (settings) => {
    const dashboard = await startDashboard({
      ...coreOption,
      sandbox,
      settings: { ...limitSettings, ...settings },
    })
    startedDashboards.push(dashboard)
    const signedInDashboard = { ...dashboard, headers: await signIn(dashboard.url) }
    // Warms up, because the first releases include the time to compile code.
    await timeReleases(signedInDashboard, sandbox, 2)
    return signedInDashboard
  }
  try {
    await sandbox.ask('/sandbox/rate-limit', {
      method: 'POST',
      body: JSON.stringify({ per_second: callsPerSecond * 1.5 }),
    })
    const quietDashboard = await startSignedInDashboard({ MIRROR_SYNC: 'off' })
    const quietTimes = await timeReleases(quietDashboard, sandbox, releaseCount)
    const busyDashboard = await startSignedInDashboard({ MIRROR_SYNC: 'on' })
    const openedTabs = simulateTabs(busyDashboard)
    await pause(3000)
    const busyTimes = await timeReleases(busyDashboard, sandbox, releaseCount)
    const { answered, shed } = await openedTabs.close()
    const formatLine = (name, times) => [
      name,
      times.length,
      ...[0.5, 0.95, 1].map((part) => findQuantile(times, part).toFixed(0)),
    ]
    printTable(
      ['', 'releases', 'p50 ms', 'p95 ms', 'longest ms'],
      [
        formatLine('alone', quietTimes),
        formatLine(`beside ${tabCount} tabs and an import`, busyTimes),
      ],
    )
    console.info(
      `  limit ${callsPerSecond} calls a second; reads of the tabs: ${answered} answered, ${shed} shed\n`,
    )
    const worstDelayMs = Math.max(...busyTimes) - findQuantile(quietTimes, 0.5)
    printGoal('longest delay of a release beside them', worstDelayMs, 1000, {
      unit: ' ms',
      digits: 0,
    })
  } finally {
    for (const server of [...startedDashboards, sandbox]) await server.stop()
  }
}
