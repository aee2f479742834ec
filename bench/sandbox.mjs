import { findMedian, printGoal, printTable } from './lib/figures.mjs'
import {
  filterableLists,
  filterBuildersByField,
  listFilterPairs,
  pickRandom,
} from './lib/filters.mjs'
import { coreByRole } from './lib/pin.mjs'
import { startSandbox } from './lib/servers.mjs'
import { closeConnection, summarizeTimings, timeList } from './lib/timed-list.mjs'

const pageSize = 100
const maxPageMs = 50
const maxCountMs = 250
const maxSeedSeconds = 120

const paymentsList = {
  path: '/v1/payments',
  filters: filterBuildersByField,
  sorts: ['id', 'created_at', 'updated_at', 'payment_date', 'effective_at', 'amount'],
}

/** Returns random items of up to 100 accounts. Filters take their values from these. */
async function fetchSampleRows(sandbox, { path }) {
  const { data: accounts } = await timeList(sandbox, '/v1/accounts', { page_size: 100 })
  const { data: events } = await timeList(sandbox, '/v1/funding_events', { page_size: 100 })
  const samples = []
  for (const { id } of accounts) {
    const pageQuery = { account: `acct_${id}`, page_size: 20 }
    const { meta } = await timeList(sandbox, path, pageQuery)
    if (meta.total_items === 0) continue
    const page_number = 1 + Math.floor((Math.random() * meta.total_items) / pageQuery.page_size)
    const { data } = await timeList(sandbox, path, { ...pageQuery, page_number })
    samples.push(...data.map((item) => ({ item, account: id, event: pickRandom(events) })))
  }
  return samples
}

/** Times the first page, and then a random page in a random order. */
async function timeFilterPair(sandbox, samples, { path, filters, sorts }, filterPair, runCount) {
  const timedLists = []
  for (let run = 0; run < runCount; run++) {
    const sample = pickRandom(samples)
    const query = {
      ...filters[filterPair[0]](sample),
      ...filters[filterPair[1]](sample),
      page_size: pageSize,
    }
    const firstPage = await timeList(sandbox, path, query)
    const page_number = 1 + Math.floor((Math.random() * firstPage.meta.total_items) / pageSize)
    const sortQuery = { sort_by: pickRandom(sorts), sort_order: pickRandom(['asc', 'desc']) }
    timedLists.push(
      firstPage,
      await timeList(sandbox, path, { ...query, ...sortQuery, page_number }),
    )
  }
  return summarizeTimings(filterPair.join(' + '), timedLists)
}

/** Times the exact total by requesting a page of one row. */
async function timeCountWithFilterPair(sandbox, samples, { path, filters }, filterPair, runCount) {
  const timedCounts = []
  for (let run = 0; run < runCount; run++) {
    const sample = pickRandom(samples)
    timedCounts.push(
      await timeList(sandbox, path, {
        ...filters[filterPair[0]](sample),
        ...filters[filterPair[1]](sample),
        page_size: 1,
      }),
    )
  }
  return summarizeTimings(filterPair.join(' + '), timedCounts)
}

const toTableRow = ({ name, p50, p95, worst, busy }) => [
  name,
  ...[p50, p95, worst, busy].map((ms) => ms.toFixed(1)),
]

async function measureList(sandbox, name, list, runCount) {
  const samples = await fetchSampleRows(sandbox, list)
  const pairs = listFilterPairs(Object.keys(list.filters))
  const pageFigures = []
  const countFigures = []
  for (const pair of pairs)
    pageFigures.push(await timeFilterPair(sandbox, samples, list, pair, runCount))
  for (const pair of pairs)
    countFigures.push(
      await timeCountWithFilterPair(sandbox, samples, list, pair, Math.ceil(runCount / 4)),
    )
  pageFigures.sort((left, right) => right.p95 - left.p95)
  const slowestCount = countFigures.toSorted((left, right) => right.p95 - left.p95)[0]
  const busiestPage = pageFigures.toSorted((left, right) => right.busy - left.busy)[0]
  console.info(
    `\n  ${name}: ${pairs.length} pairs of filters, ${runCount * 2} pages each; the slowest, in milliseconds`,
  )
  printTable(
    ['', 'p50', 'p95', 'worst', 'p95 on the processor'],
    pageFigures.slice(0, 8).map(toTableRow),
  )
  const [p50, p95, busy] = ['p50', 'p95', 'busy'].map((figure) =>
    findMedian(pageFigures.map((one) => one[figure])).toFixed(1),
  )
  console.info(`  median of all pairs: p50 ${p50}, p95 ${p95}, p95 on the processor ${busy}`)
  printGoal(
    `${name}, p95 of the slowest pair (${pageFigures[0].name})`,
    pageFigures[0].p95,
    maxPageMs,
    { unit: ' ms' },
  )
  printGoal(
    `${name}, p95 on the processor of the busiest pair (${busiestPage.name})`,
    busiestPage.busy,
    maxPageMs,
    { unit: ' ms' },
  )
  printGoal(
    `${name}, p95 of the slowest count (${slowestCount.name})`,
    slowestCount.p95,
    maxCountMs,
    { unit: ' ms' },
  )
  const missedPairCount = pageFigures.filter((pair) => pair.p95 > maxPageMs).length
  if (missedPairCount > 1)
    console.info(`  ${missedPairCount} of the ${pairs.length} pairs miss the goal`)
}

/**
 * Checks the totals that the sandbox returns: under each filter, charges and payouts must add up to
 * the total of all payments.
 */
async function checkTotalsAgree(sandbox) {
  const samples = await fetchSampleRows(sandbox, paymentsList)
  for (const [name, filter] of Object.entries(filterBuildersByField)) {
    if (name === 'payment_type') continue
    const query = { ...filter(pickRandom(samples)), page_size: 1 }
    const totalsByPaymentType = []
    for (const type of [{}, { payment_type: 'charge' }, { payment_type: 'payout' }]) {
      totalsByPaymentType.push(
        (await timeList(sandbox, paymentsList.path, { ...query, ...type })).meta.total_items,
      )
    }
    const [all, charges, payouts] = totalsByPaymentType
    if (all !== charges + payouts)
      throw new Error(`${name}: ${charges} charges and ${payouts} payouts are not ${all}`)
  }
}

/** Measures the pages of a funding event's payments, whose rows are spread over the whole table. */
async function measureFundingEventPayments(sandbox, runCount) {
  const { data: events } = await timeList(sandbox, '/v1/funding_events', { page_size: 200 })
  console.info('\n  payments of a funding event, milliseconds')
  const fundingFigures = []
  for (const page_size of [pageSize, 1_000]) {
    const timedPages = []
    for (let run = 0; run < runCount * 5; run++) {
      timedPages.push(
        await timeList(sandbox, `/v1/funding_event_payments/${pickRandom(events).id}`, {
          page_size,
        }),
      )
    }
    const medianLineCount = findMedian(timedPages.map(({ data }) => data.length))
    fundingFigures.push(
      summarizeTimings(
        `pages of up to ${page_size}, ${medianLineCount} lines in the middle`,
        timedPages,
      ),
    )
  }
  printTable(['', 'p50', 'p95', 'worst', 'p95 on the processor'], fundingFigures.map(toTableRow))
  printGoal('a page of 100, p95', fundingFigures[0].p95, maxPageMs, { unit: ' ms' })
}

/**
 * Measures how long the sandbox takes to answer its lists from a large table, with exact totals.
 * Requests the first page and a random page of each list with every pair of filters.
 */
export async function sandbox({ quick, pinned, payments: count }) {
  const server = await startSandbox({
    payments: count,
    ...(pinned ? { core: coreByRole.either } : {}),
  })
  try {
    const runCount = quick ? 4 : 20
    const restartSeconds = await server.restart()
    console.info(
      `  ${count} payments: started again on the same folder in ${restartSeconds.toFixed(1)} s`,
    )
    printGoal('first start, seeded and ready', server.seconds, maxSeedSeconds, { unit: ' s' })
    await checkTotalsAgree(server)
    for (const [name, list] of Object.entries({ payments: paymentsList, ...filterableLists }))
      await measureList(server, name, list, runCount)
    await measureFundingEventPayments(server, runCount)
  } finally {
    closeConnection()
    await server.stop()
  }
}
