import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { findQuantile, printGoal, printTable } from './lib/figures.mjs'
import { cores } from './lib/pin.mjs'
import { startDashboard, startSandbox } from './lib/servers.mjs'
import { sendConfirmed, signIn } from './lib/sign-in.mjs'

const callsPerSecond = 20
const tabCount = 50
const acknowledgedWarnings = 'documents_warn,paykey_unknown,customer_unknown,limit_single_unknown,limit_day_warn:1,limit_month_warn:1'

/** Releases a held payout as a form does. Returns the milliseconds to the response. Throws if the payout was not released. */
async function releaseOne({ url, headers }, sandbox) {
  const { id, account_id: account } = await sandbox.ask('/sandbox/objects/payouts', { method: 'POST', body: '{}' })
  const startedAt = performance.now()
  const response = await sendConfirmed(url, headers, `/api/sandbox/v1/payouts/${id}/release?account=acct_${account}`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': `pdk_${randomUUID().replaceAll('-', '')}`,
      'action-warnings': acknowledgedWarnings,
    },
    body: JSON.stringify({ reason: 'AUTH_PROOF_OK: the proof was received and checked' }),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`a release: ${response.status} ${answer}`)
  return performance.now() - startedAt
}

/** Releases `count` payouts one by one, with pauses of half a second. Returns the milliseconds of each. */
async function timeReleases(desk, sandbox, count) {
  const releaseTimes = []
  for (let at = 0; at < count; at += 1) {
    releaseTimes.push(await releaseOne(desk, sandbox))
    await pause(500)
  }
  return releaseTimes
}

/**
 * Simulates open tabs that request a list without pause. `close` stops them, and returns how many reads were answered and how many were
 * refused.
 */
function openTabs({ url, headers }) {
  const counts = { answered: 0, shed: 0 }
  let isOver = false
  const runTab = async () => {
    while (!isOver) {
      const response = await fetch(`${url}/api/sandbox/v1/payments?page_size=25`, { headers })
      await response.arrayBuffer()
      counts[response.ok ? 'answered' : 'shed'] += 1
    }
  }
  const tabPromises = Array.from({ length: tabCount }, runTab)
  const closeTabs = async () => {
    isOver = true
    await Promise.all(tabPromises)
    return counts
  }
  return { close: closeTabs }
}

/** Measures how much longer a release takes while fifty tabs and a full import use the same rate limit. */
export async function release({ quick, pinned }) {
  const sandbox = await startSandbox({ payments: 5000, ...(pinned ? { core: cores.rest } : {}) })
  const core = pinned ? { core: cores.subject } : {}
  const limitSettings = { SERVICE_SANDBOX_RATE_LIMIT: String(callsPerSecond) }
  const count = quick ? 5 : 20
  const startedDesks = []
  const startDesk = async (settings) => {
    const desk = await startDashboard({ ...core, sandbox, settings: { ...limitSettings, ...settings } })
    startedDesks.push(desk)
    const signedInDesk = { ...desk, headers: await signIn(desk.url) }
    // Warm-up, because the first releases also compile code.
    await timeReleases(signedInDesk, sandbox, 2)
    return signedInDesk
  }
  try {
    await sandbox.ask('/sandbox/rate-limit', { method: 'POST', body: JSON.stringify({ per_second: callsPerSecond * 1.5 }) })
    const quietDesk = await startDesk({ MIRROR_SYNC: 'off' })
    const quietTimes = await timeReleases(quietDesk, sandbox, count)
    const busyDesk = await startDesk({ MIRROR_SYNC: 'on' })
    const openedTabs = openTabs(busyDesk)
    await pause(3000)
    const busyTimes = await timeReleases(busyDesk, sandbox, count)
    const { answered, shed } = await openedTabs.close()
    const formatLine = (name, times) => [name, times.length, ...[0.5, 0.95, 1].map((part) => findQuantile(times, part).toFixed(0))]
    printTable(
      ['', 'releases', 'p50 ms', 'p95 ms', 'longest ms'],
      [formatLine('alone', quietTimes), formatLine(`beside ${tabCount} tabs and an import`, busyTimes)],
    )
    console.info(`  limit ${callsPerSecond} calls a second; reads of the tabs: ${answered} answered, ${shed} shed\n`)
    const worstDelayMs = Math.max(...busyTimes) - findQuantile(quietTimes, 0.5)
    printGoal('longest delay of a release beside them', worstDelayMs, 1000, { unit: ' ms', digits: 0 })
  } finally {
    for (const server of [...startedDesks, sandbox]) await server.stop()
  }
}
