import { once } from 'node:events'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import autocannon from 'autocannon'
import { startBrowser } from './lib/browser.mjs'
import { listPages, recordPages } from './lib/desk-pages.mjs'
import { median, printGoal, printTable } from './lib/figures.mjs'
import { gzipOf, scriptsOf } from './lib/first-load.mjs'
import { cores } from './lib/pin.mjs'
import { cpuOf } from './lib/proc.mjs'
import { startDashboard, startSandbox } from './lib/servers.mjs'
import { signIn } from './lib/sign-in.mjs'

const crowd = 8

/** One load, to the last byte: `first` is when the first byte of the body was here, both in ms. Throws Error for an answer that is not 200. */
async function load({ url, headers }) {
  const began = performance.now()
  const sent = request(url, { headers })
  sent.end()
  const [response] = await once(sent, 'response')
  const parts = []
  let first
  for await (const part of response) {
    first ??= performance.now() - began
    parts.push(part)
  }
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`)
  return { html: Buffer.concat(parts), first, whole: performance.now() - began }
}

/** So many loads one after the other; processor time of the server for each of them. */
async function alone(target, loads) {
  const before = cpuOf(target.pid)
  const all = []
  for (let at = 0; at < loads; at += 1) all.push(await load(target))
  return { cpu: (cpuOf(target.pid) - before) / loads, first: median(all.map((one) => one.first)), html: all[0].html }
}

/** Pages in a second for eight people at once. */
async function busy({ url, headers }, duration) {
  const { requests, non2xx, errors, timeouts } = await autocannon({ url, headers, connections: crowd, duration })
  if (non2xx + errors + timeouts > 0) throw new Error(`${url}: ${non2xx} answers were not 200, ${errors} errors, ${timeouts} timeouts`)
  return requests.total / duration
}

/** The log of requests needs fifty of them to fill its page. */
async function fillLog({ url, headers }, payout) {
  for (let at = 0; at < 60; at += 1)
    await fetch(`${url}/api/sandbox/v1/payouts/${payout.id}?account=acct_${payout.account_id}`, { headers })
}

async function measureLists(desks, { rounds, loads, duration }) {
  const figures = []
  for (const [name, path] of Object.entries(listPages)) {
    const targets = desks.map((desk) => ({ ...desk, url: `${desk.url}/sandbox${path}`, passes: [] }))
    for (const target of targets) await alone(target, 5)
    for (let round = 0; round < rounds; round += 1) {
      for (const target of targets) target.passes.push({ ...(await alone(target, loads)), rate: await busy(target, duration) })
    }
    for (const { label, passes } of targets) {
      const of = (figure) => median(passes.map((pass) => pass[figure]))
      const [{ html }] = passes
      figures.push({ name, label, cpu: of('cpu'), rate: of('rate'), first: of('first'), html: html.length, gzip: gzipSync(html).length })
    }
  }
  return figures
}

/** JavaScript of a record page: what its HTML loads, and all that has come once nothing more does. */
async function measureRecord(browser, { url, headers: { cookie } }, path) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, extraHTTPHeaders: { cookie } })
  const asked = new Set()
  const prefetches = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') asked.add(request.url())
    if (request.headers()['next-router-prefetch']) prefetches.push(request.url())
  })
  try {
    const answer = await page.goto(`${url}/sandbox${path}`, { waitUntil: 'load' })
    const first = scriptsOf(await answer.text())
    await page.waitForLoadState('networkidle')
    return { first: await gzipOf(url, first), all: await gzipOf(url, asked), prefetches: prefetches.length }
  } finally {
    await page.close()
  }
}

function printLists(figures) {
  const rows = figures.map(({ name, label, cpu, rate, first, html, gzip }) => {
    return [`${label}${name}`, cpu.toFixed(1), rate.toFixed(1), first.toFixed(0), (html / 1000).toFixed(0), (gzip / 1000).toFixed(1)]
  })
  printTable(['', 'CPU ms each', `pages/s, ${crowd}`, 'first byte ms', 'HTML kB', 'gzip kB'], rows)
}

async function measureRecords(desks, pages) {
  const browser = await startBrowser()
  try {
    const rows = []
    for (const [name, path] of Object.entries(pages)) {
      for (const desk of desks) rows.push({ name, label: desk.label, ...(await measureRecord(browser, desk, path)) })
    }
    return rows
  } finally {
    await browser.close()
  }
}

async function startDesks({ pinned, against }, sandbox) {
  const core = pinned ? { core: cores.subject } : {}
  const roots = [{ label: '' }, ...(against ? [{ label: 'other build: ', root: against }] : [])]
  const desks = []
  for (const { label, ...root } of roots) {
    const dashboard = await startDashboard({ ...core, ...root, sandbox })
    desks.push({ ...dashboard, label, headers: await signIn(dashboard.url, 'admin') })
  }
  return desks
}

/**
 * What pages cost: processor time and pages in a second of each list, and the JavaScript and prefetches of each record page. `against` adds another
 * checkout's build, page by page in turns.
 */
export async function pages({ quick, pinned, against }) {
  const sandbox = await startSandbox(pinned ? { core: cores.rest } : {})
  const desks = await startDesks({ pinned, against }, sandbox)
  try {
    const payout = await sandbox.ask('/sandbox/objects/payouts', { method: 'POST', body: '{}' })
    for (const desk of desks) await fillLog(desk, payout)
    const lists = await measureLists(desks, quick ? { rounds: 1, loads: 10, duration: 2 } : { rounds: 3, loads: 20, duration: 4 })
    printLists(lists)
    console.info('')
    const records = await measureRecords(desks, await recordPages(sandbox))
    printTable(
      ['', 'first load kB', 'all in kB', 'prefetches'],
      records.map(({ name, label, first, all, prefetches }) => [`${label}${name}`, first.toFixed(1), all.toFixed(1), prefetches]),
    )
    console.info('')
    const mine = (rows) => rows.filter(({ label }) => label === '')
    const heaviest = mine(records).reduce((most, one) => (one.all > most.all ? one : most))
    printGoal(`JavaScript of a record page, all in, the heaviest (${heaviest.name})`, heaviest.all, 180, { unit: ' kB' })
    const prefetched = mine(records).reduce((sum, one) => sum + one.prefetches, 0)
    printGoal('prefetches of all record pages', prefetched, 0, { digits: 0 })
    const activity = mine(lists).find(({ name }) => name === 'activity')
    printGoal('HTML of activity, 50 rows', activity.html / 1000, 120, { unit: ' kB' })
  } finally {
    for (const server of [...desks, sandbox]) await server.stop()
  }
}
