import { findMedian, printGoal, printTable } from './lib/figures.mjs'
import { listFilterPairs, lists, paymentFilters, pickRandom } from './lib/filters.mjs'
import { cores } from './lib/pin.mjs'
import { startSandbox } from './lib/servers.mjs'
import { closeConnection, timeList, toFigures } from './lib/timed-list.mjs'

const pageSize = 100
const pageLimit = 50
const countLimit = 250
const seedLimit = 120

const payments = {
  path: '/v1/payments',
  filters: paymentFilters,
  sorts: ['id', 'created_at', 'updated_at', 'payment_date', 'effective_at', 'amount'],
}

/** Returns random items of a list from up to 100 accounts, each with its account. */
async function fetchSamples(sandbox, { path }) {
  const { data: accounts } = await timeList(sandbox, '/v1/accounts', { page_size: 100 })
  const { data: events } = await timeList(sandbox, '/v1/funding_events', { page_size: 100 })
  const samples = []
  for (const { id } of accounts) {
    const page = { account: `acct_${id}`, page_size: 20 }
    const { meta } = await timeList(sandbox, path, page)
    if (meta.total_items === 0) continue
    const page_number = 1 + Math.floor((Math.random() * meta.total_items) / page.page_size)
    const { data } = await timeList(sandbox, path, { ...page, page_number })
    samples.push(...data.map((item) => ({ item, account: id, event: pickRandom(events) })))
  }
  return samples
}

/** Times one pair of filters: the first page with the total, then a random page in a random order. */
async function timePair(sandbox, samples, { path, filters, sorts }, pair, runs) {
  const timedLists = []
  for (let run = 0; run < runs; run++) {
    const sample = pickRandom(samples)
    const query = { ...filters[pair[0]](sample), ...filters[pair[1]](sample), page_size: pageSize }
    const first = await timeList(sandbox, path, query)
    const page_number = 1 + Math.floor((Math.random() * first.meta.total_items) / pageSize)
    const order = { sort_by: pickRandom(sorts), sort_order: pickRandom(['asc', 'desc']) }
    timedLists.push(first, await timeList(sandbox, path, { ...query, ...order, page_number }))
  }
  return toFigures(pair.join(' + '), timedLists)
}

/** Times the exact count for one pair of filters, by requesting a page of one row. */
async function timeCount(sandbox, samples, { path, filters }, pair, runs) {
  const timed = []
  for (let run = 0; run < runs; run++) {
    const sample = pickRandom(samples)
    timed.push(await timeList(sandbox, path, { ...filters[pair[0]](sample), ...filters[pair[1]](sample), page_size: 1 }))
  }
  return toFigures(pair.join(' + '), timed)
}

const toTableRow = ({ name, p50, p95, worst, busy }) => [name, ...[p50, p95, worst, busy].map((ms) => ms.toFixed(1))]

async function measureList(sandbox, name, list, runs) {
  const samples = await fetchSamples(sandbox, list)
  const pairs = listFilterPairs(Object.keys(list.filters))
  const pages = []
  const counts = []
  for (const pair of pairs) pages.push(await timePair(sandbox, samples, list, pair, runs))
  for (const pair of pairs) counts.push(await timeCount(sandbox, samples, list, pair, Math.ceil(runs / 4)))
  pages.sort((left, right) => right.p95 - left.p95)
  const slowestCount = counts.toSorted((left, right) => right.p95 - left.p95)[0]
  const busiestPage = pages.toSorted((left, right) => right.busy - left.busy)[0]
  console.info(`\n  ${name}: ${pairs.length} pairs of filters, ${runs * 2} pages each; the slowest, in milliseconds`)
  printTable(['', 'p50', 'p95', 'worst', 'p95 on the processor'], pages.slice(0, 8).map(toTableRow))
  const [p50, p95, busy] = ['p50', 'p95', 'busy'].map((figure) => findMedian(pages.map((one) => one[figure])).toFixed(1))
  console.info(`  median of all pairs: p50 ${p50}, p95 ${p95}, p95 on the processor ${busy}`)
  printGoal(`${name}, p95 of the slowest pair (${pages[0].name})`, pages[0].p95, pageLimit, { unit: ' ms' })
  printGoal(`${name}, p95 on the processor of the busiest pair (${busiestPage.name})`, busiestPage.busy, pageLimit, { unit: ' ms' })
  printGoal(`${name}, p95 of the slowest count (${slowestCount.name})`, slowestCount.p95, countLimit, { unit: ' ms' })
  const missedCount = pages.filter((pair) => pair.p95 > pageLimit).length
  if (missedCount > 1) console.info(`  ${missedCount} of the ${pairs.length} pairs miss the goal`)
}

/** Checks each filter of the payments search: the totals for charges and for payouts must add up to the total without a type. */
async function checkTotalsAgree(sandbox) {
  const samples = await fetchSamples(sandbox, payments)
  for (const [name, filter] of Object.entries(paymentFilters)) {
    if (name === 'payment_type') continue
    const query = { ...filter(pickRandom(samples)), page_size: 1 }
    const totals = []
    for (const type of [{}, { payment_type: 'charge' }, { payment_type: 'payout' }]) {
      totals.push((await timeList(sandbox, payments.path, { ...query, ...type })).meta.total_items)
    }
    const [all, charges, payouts] = totals
    if (all !== charges + payouts) throw new Error(`${name}: ${charges} charges and ${payouts} payouts are not ${all}`)
  }
}

/** Times the payments of a funding event. These rows are spread over the whole table. */
async function measureFunding(sandbox, runs) {
  const { data: events } = await timeList(sandbox, '/v1/funding_events', { page_size: 200 })
  console.info('\n  payments of a funding event, milliseconds')
  const figures = []
  for (const page_size of [pageSize, 1_000]) {
    const timed = []
    for (let run = 0; run < runs * 5; run++) {
      timed.push(await timeList(sandbox, `/v1/funding_event_payments/${pickRandom(events).id}`, { page_size }))
    }
    const lines = findMedian(timed.map(({ data }) => data.length))
    figures.push(toFigures(`pages of up to ${page_size}, ${lines} lines in the middle`, timed))
  }
  printTable(['', 'p50', 'p95', 'worst', 'p95 on the processor'], figures.map(toTableRow))
  printGoal('a page of 100, p95', figures[0].p95, pageLimit, { unit: ' ms' })
}

/**
 * Measures how long the sandbox takes to answer each list from a large table, with exact totals. Requests each list with every pair of
 * filters, for the first page and for a random page.
 */
export async function sandbox({ quick, pinned, payments: count }) {
  const server = await startSandbox({ payments: count, ...(pinned ? { core: cores.either } : {}) })
  try {
    const runs = quick ? 4 : 20
    const restartSeconds = await server.restart()
    console.info(`  ${count} payments: started again on the same folder in ${restartSeconds.toFixed(1)} s`)
    printGoal('first start, seeded and ready', server.seconds, seedLimit, { unit: ' s' })
    await checkTotalsAgree(server)
    for (const [name, list] of Object.entries({ payments, ...lists })) await measureList(server, name, list, runs)
    await measureFunding(server, runs)
  } finally {
    closeConnection()
    await server.stop()
  }
}
