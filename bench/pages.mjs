import { gzipSync } from 'node:zlib'
import { startBrowser } from './lib/browser.mjs'
import { timeNavigations, timePaints } from './lib/browser-times.mjs'
import { startDelayProxy } from './lib/delay-proxy.mjs'
import { findRecordPagePaths, listPagePaths } from './lib/desk-pages.mjs'
import { findMedian, printTable } from './lib/figures.mjs'
import {
  clientCount,
  farServiceDelayMs,
  loadPage,
  loadSequentially,
  measureRequestsPerSecond,
} from './lib/page-load.mjs'
import {
  printBrowserGoals,
  printListGoals,
  printPageFigures,
  printRecordGoals,
} from './lib/page-report.mjs'
import { coreByRole } from './lib/pin.mjs'
import { startReactAdmin } from './lib/react-admin.mjs'
import { measureAllRecordScripts } from './lib/record-scripts.mjs'
import { startDashboard, startSandbox } from './lib/servers.mjs'
import { signIn } from './lib/sign-in.mjs'

/** Fills the first page of the request log (50 rows). */
async function fillRequestLog({ url, headers }, payout) {
  for (let at = 0; at < 60; at += 1)
    await fetch(`${url}/api/sandbox/v1/payouts/${payout.id}?account=acct_${payout.account_id}`, {
      headers,
    })
}

/** Returns the service calls of the first load (`cold`) and of the second (`warm`). */
async function countColdAndWarmCalls(target, serviceProxy) {
  const callCounts = []
  for (let at = 0; at < 2; at += 1) {
    const callsBefore = serviceProxy.calls
    await loadPage(target)
    callCounts.push(serviceProxy.calls - callsBefore)
  }
  return { cold: callCounts[0], warm: callCounts[1] }
}

/** Alternates a near and a far service (`farServiceDelayMs`). Returns median milliseconds. */
async function timeWithServiceNearAndFar(target, serviceProxy, loadCount) {
  const [near, away] = [[], []]
  for (let at = 0; at < loadCount; at += 1) {
    for (const [delay, times] of [
      [0, near],
      [farServiceDelayMs, away],
    ]) {
      serviceProxy.delay = delay
      times.push((await loadPage(target)).whole)
    }
  }
  serviceProxy.delay = 0
  return { near: findMedian(near), far: findMedian(away) }
}

async function measureTargetOnce(target, serviceProxy, { loads, duration }) {
  const requestsPerSecond = await measureRequestsPerSecond(target, { crowd: clientCount, duration })
  return {
    ...(await loadSequentially(target, loads)),
    ...(await timeWithServiceNearAndFar(target, serviceProxy, loads)),
    rate: requestsPerSecond,
  }
}

function findMediansOfPasses(name, { label, passes, calls }) {
  const findMedianOf = (figure) => findMedian(passes.map((pass) => pass[figure]))
  const [{ html }] = passes
  const medianFigures = Object.fromEntries(
    ['cpu', 'rate', 'first', 'near', 'far'].map((figure) => [figure, findMedianOf(figure)]),
  )
  return { name, label, ...calls, ...medianFigures, html: html.length, gzip: gzipSync(html).length }
}

async function measurePage(targets, serviceProxy, { rounds, ...plan }) {
  for (const target of targets) target.calls = await countColdAndWarmCalls(target, serviceProxy)
  for (const target of targets) await loadSequentially(target, 5)
  for (let round = 0; round < rounds; round += 1) {
    for (const target of targets)
      target.passes.push(await measureTargetOnce(target, serviceProxy, plan))
  }
}

async function measurePages(desks, pages, serviceProxy, plan) {
  const pageFigures = []
  for (const [name, path] of Object.entries(pages)) {
    const targets = desks.map((desk) => ({
      ...desk,
      url: `${desk.url}/sandbox${path}`,
      passes: [],
    }))
    await measurePage(targets, serviceProxy, plan)
    pageFigures.push(...targets.map((target) => findMediansOfPasses(name, target)))
  }
  return pageFigures
}

const buildCookies = ({ url, headers }) =>
  headers.cookie.split('; ').map((pair) => ({
    name: pair.slice(0, pair.indexOf('=')),
    value: pair.slice(pair.indexOf('=') + 1),
    url,
  }))

/** Compares our payments list with react-admin's, each with a near and with a far service. */
async function measureBrowserTimes(browser, desk, serviceProxy, rival, repeatCount) {
  const cookies = buildCookies(desk)
  const deskPage = {
    url: `${desk.url}/sandbox/payments?tab=all&size=50`,
    cookies,
    selector: 'main [data-row]',
    rows: 50,
  }
  const rivalPage = { url: rival.url, selector: '.RaDatagrid-row', rows: 50 }
  const paintComparisons = []
  for (const delay of [0, farServiceDelayMs]) {
    Object.assign(serviceProxy, { delay })
    for (const slowed of [1, 4]) {
      const [mine, theirs] = await timePaints(
        browser,
        [deskPage, rivalPage].map((page) => ({ ...page, slowed })),
        repeatCount,
      )
      paintComparisons.push({ delay, slowed, mine, theirs })
    }
  }
  const navigationTimes = await timeNavigations(browser, { url: desk.url, cookies }, repeatCount)
  serviceProxy.delay = 0
  return { rows: paintComparisons, stepped: navigationTimes }
}

async function startDashboards({ pinned, against }, service) {
  const coreOption = pinned ? { core: coreByRole.subject } : {}
  const comparedBuilds = [
    { label: '' },
    ...(against ? [{ label: 'other build: ', root: against }] : []),
  ]
  const dashboards = []
  for (const { label, ...root } of comparedBuilds) {
    const dashboard = await startDashboard({
      ...coreOption,
      ...root,
      sandbox: service,
      imported: true,
    })
    dashboards.push({ ...dashboard, label, headers: await signIn(dashboard.url, 'admin') })
  }
  return dashboards
}

/**
 * Measures each list and record page: service calls, processor time, pages per second, and the time
 * to the last byte with a near and a far service. Also measures the JavaScript and prefetches of
 * record pages, and compares the payments list in a browser with one built with react-admin.
 * `against` is the folder of another checkout, whose build is measured in turns with this one.
 */
export async function pages({ quick, pinned, against }) {
  const sandbox = await startSandbox(pinned ? { core: coreByRole.rest } : {})
  const delayProxy = await startDelayProxy(sandbox.url)
  const desks = await startDashboards(
    { pinned, against },
    { url: delayProxy.url, key: sandbox.key },
  )
  const rival = await startReactAdmin(delayProxy.url, sandbox.key)
  const browser = await startBrowser()
  try {
    const payout = await sandbox.ask('/sandbox/objects/payouts', { method: 'POST', body: '{}' })
    for (const desk of desks) await fillRequestLog(desk, payout)
    const measurementPlan = quick
      ? { rounds: 1, loads: 10, duration: 2 }
      : { rounds: 3, loads: 20, duration: 4 }
    const selectRowsOfThisBuild = (rows) => rows.filter(({ label }) => label === '')
    const listFigures = await measurePages(desks, listPagePaths, delayProxy, measurementPlan)
    printPageFigures(listFigures)
    printListGoals(selectRowsOfThisBuild(listFigures))
    console.info('')
    const recordPaths = await findRecordPagePaths(sandbox)
    const recordFigures = await measurePages(desks, recordPaths, delayProxy, {
      ...measurementPlan,
      rounds: 1,
    })
    printPageFigures(recordFigures)
    const scriptFigures = await measureAllRecordScripts(browser, desks, recordPaths)
    printTable(
      ['', 'first load kB', 'all in kB', 'prefetches'],
      scriptFigures.map(({ name, label, first, all, prefetches }) => [
        `${label}${name}`,
        first.toFixed(1),
        all.toFixed(1),
        prefetches,
      ]),
    )
    console.info('')
    printRecordGoals(selectRowsOfThisBuild(recordFigures), selectRowsOfThisBuild(scriptFigures))
    console.info('')
    printBrowserGoals(
      await measureBrowserTimes(browser, desks[0], delayProxy, rival, quick ? 3 : 9),
      rival,
    )
  } finally {
    await browser.close()
    for (const server of [...desks, rival, delayProxy, sandbox]) await server.stop()
  }
}
