import { setTimeout as pause } from 'node:timers/promises'
import { startBrowser } from './lib/browser.mjs'
import { findQuantile, printGoal, printTable } from './lib/figures.mjs'
import { findFreePort } from './lib/free-port.mjs'
import { coreByRole } from './lib/pin.mjs'
import { startDashboard, startSandbox, waitUntilMirrorImported } from './lib/servers.mjs'
import { signIn } from './lib/sign-in.mjs'

/** Waits until the page's event stream, which announces changes, is open. */
async function openLivePage(browser, url, path) {
  const { cookie } = await signIn(url)
  const context = await browser.newContext()
  await context.addCookies(
    cookie.split('; ').map((pair) => ({
      url,
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
    })),
  )
  const page = await context.newPage()
  const eventStreamResponse = page.waitForResponse((response) =>
    response.url().endsWith('/desk/events'),
  )
  await page.goto(url + path)
  await eventStreamResponse
  return page
}

const makePayout = (sandbox) =>
  sandbox.ask('/sandbox/objects/payouts', {
    method: 'POST',
    body: JSON.stringify({ announced: true }),
  })

/** Returns a function that measures the milliseconds until the list announces a new payout. */
async function prepareListTiming(browser, url, sandbox) {
  const page = await openLivePage(browser, url, '/sandbox/payouts?tab=all')
  const showButton = page.getByRole('button', { name: /\bnew\b.*Show$/ })
  return async () => {
    const startedAt = performance.now()
    await makePayout(sandbox)
    await showButton.waitFor()
    const durationMs = performance.now() - startedAt
    await showButton.click()
    await showButton.waitFor({ state: 'detached' })
    return durationMs
  }
}

/** Returns a function that measures the milliseconds until the page shows a new description. */
async function prepareRecordTiming(browser, url, sandbox) {
  const { id, account_id: account } = await makePayout(sandbox)
  const page = await openLivePage(browser, url, `/sandbox/payouts/${id}?account=acct_${account}`)
  const headers = { 'service-account-id': account }
  let changeCount = 0
  return async () => {
    const { data } = await sandbox.ask(`/v1/payouts/${id}`, { headers })
    const { payment_date, metadata } = data
    changeCount += 1
    const description = `Change number ${changeCount}.`
    const body = JSON.stringify({
      amount: Number(data.amount),
      payment_date,
      metadata: metadata ?? {},
      description,
    })
    const changeStartedAt = performance.now()
    await sandbox.ask(`/v1/payouts/${id}`, { method: 'PUT', headers, body })
    await page.getByRole('article').getByText(description, { exact: true }).first().waitFor()
    return performance.now() - changeStartedAt
  }
}

async function timeRepeatedly(timeOnce, count) {
  // Warms up, because the first rounds include the time to compile code.
  for (let at = 0; at < 5; at += 1) await timeOnce()
  const durationsMs = []
  for (let at = 0; at < count; at += 1) {
    await pause(500)
    durationsMs.push(await timeOnce())
  }
  return durationsMs
}

const prepareFunctionsByPage = {
  'payouts list': prepareListTiming,
  'page of a payout': prepareRecordTiming,
}

/**
 * Measures the time from a change at the service until an open page shows it: the webhook, the
 * update of the mirror, the event stream and the refetch.
 */
export async function live({ quick, pinned }) {
  const port = await findFreePort()
  const webhookUrl = `http://127.0.0.1:${port}/api/webhooks/sandbox`
  const sandbox = await startSandbox({
    payments: 200,
    webhooksTo: webhookUrl,
    ...(pinned ? { core: coreByRole.rest } : {}),
  })
  const settings = { EMBEDDED_SANDBOX_WEBHOOK_SECRET: sandbox.webhookSecret }
  const dashboard = await startDashboard({
    sandbox,
    port,
    settings,
    ...(pinned ? { core: coreByRole.subject } : {}),
  })
  const browser = await startBrowser()
  try {
    await waitUntilMirrorImported(dashboard.url)
    const pageTimings = []
    for (const [place, open] of Object.entries(prepareFunctionsByPage)) {
      pageTimings.push([
        place,
        await timeRepeatedly(await open(browser, dashboard.url, sandbox), quick ? 10 : 60),
      ])
    }
    const formatQuantiles = (times) => [
      times.length,
      ...[0.5, 0.95, 1].map((part) => findQuantile(times, part).toFixed(0)),
    ]
    printTable(
      ['', 'events', 'p50 ms', 'p95 ms', 'longest ms'],
      pageTimings.map(([place, times]) => [place, ...formatQuantiles(times)]),
    )
    for (const [place, times] of pageTimings) {
      printGoal(
        `event at the service until it is on the screen, p95, ${place}`,
        findQuantile(times, 0.95),
        1000,
        {
          unit: ' ms',
          digits: 0,
        },
      )
    }
  } finally {
    await browser.close()
    await dashboard.stop()
    await sandbox.stop()
  }
}
