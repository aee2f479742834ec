import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Client } from 'pg'
import { findQuantile, printGoal, printTable } from './lib/figures.mjs'
import { fillMirror } from './lib/fill-mirror.mjs'
import { pickRandom } from './lib/filters.mjs'
import { loadPage } from './lib/page-load.mjs'
import { coreByRole } from './lib/pin.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { startDashboard, startSandbox } from './lib/servers.mjs'
import { signIn } from './lib/sign-in.mjs'

const formatDay = (text) => text.slice(0, 10)

const queryBuildersByName = {
  'payments as they open': () => ({}),
  'payouts, paid': () => ({ payment_type: 'payout', payment_status: 'paid' }),
  'payouts on hold': () => ({ payment_type: 'payout', payment_status: 'on_hold' }),
  'failed and reversed': () => ({ payment_status: 'failed,reversed' }),
  'of an account': ({ account }) => ({ account }),
  'failed, of an account': ({ account }) => ({ account, payment_status: 'failed' }),
  'of a customer': ({ row }) => ({ customer_id: row.customer_details.id }),
  'by reference': ({ row }) => ({ external_id: row.external_id }),
  'by amount': () => ({ sort_by: 'amount' }),
  'of a day': ({ row }) => ({
    sort_by: 'payment_date',
    min_payment_date: formatDay(row.payment_date),
    max_payment_date: formatDay(row.payment_date),
  }),
  'of a month, by amount': ({ row }) => ({ min_created_at: row.created_at, sort_by: 'amount' }),
  'a word of a name': ({ row }) => ({
    search_text: pickRandom(row.customer_details.name.split(' ')),
  }),
  'a word of a description': ({ row }) => ({
    search_text: pickRandom((row.description ?? 'rent').split(' ')),
  }),
}

const pagePaths = [
  '/home',
  '/payouts',
  '/payments?tab=all&size=50',
  '/customers?tab=all&size=50',
  '/accounts',
  '/payments?tab=all&size=50&search_text=smith',
]

/** Each request takes the values of its filters from another random payment. */
async function measureLists({ url, headers }, repeatCount) {
  const loadList = (query) =>
    loadPage({
      url: `${url}/api/sandbox/mirror/payments?${new URLSearchParams({ page_size: '50', ...query })}`,
      headers,
    })
  const queryFigures = []
  const { data, meta } = JSON.parse((await loadList({ page_size: '1000', page_number: '3' })).html)
  const randomPayments = data.map((row, at) => ({ row, account: meta.accounts[at] }))
  for (const [name, query] of Object.entries(queryBuildersByName)) {
    const loadTimes = []
    for (let at = 0; at < repeatCount; at += 1)
      loadTimes.push((await loadList(query(pickRandom(randomPayments)))).whole)
    queryFigures.push({
      name,
      p50: findQuantile(loadTimes, 0.5),
      p95: findQuantile(loadTimes, 0.95),
      longest: Math.max(...loadTimes),
    })
  }
  return queryFigures
}

async function measurePages({ url, headers }, repeatCount) {
  const pathFigures = []
  for (const path of pagePaths) {
    const pageLoads = []
    for (let at = 0; at < repeatCount; at += 1)
      pageLoads.push(await loadPage({ url: `${url}/sandbox${path}`, headers }))
    const wholeLoadTimes = pageLoads.map(({ whole }) => whole)
    const pageLabel = `page ${path}, ${(pageLoads[0].html.length / 1000).toFixed(0)} kB`
    pathFigures.push({
      name: pageLabel,
      p50: findQuantile(wholeLoadTimes, 0.5),
      p95: findQuantile(wholeLoadTimes, 0.95),
      longest: Math.max(...wholeLoadTimes),
    })
  }
  return pathFigures
}

async function measureOneStore(kind, { sandbox, core, settings, prepare }, { times }) {
  const dashboard = await startDashboard({ core, sandbox, settings, prepare, imported: true })
  try {
    const target = { url: dashboard.url, headers: await signIn(dashboard.url, 'admin') }
    await measureLists(target, 3)
    const listFigures = await measureLists(target, times)
    const pageFigures = await measurePages(target, times)
    printTable(
      [kind, 'p50 ms', 'p95 ms', 'longest ms'],
      [...listFigures, ...pageFigures].map(({ name, ...ms }) => [
        name,
        ...Object.values(ms).map((one) => one.toFixed(1)),
      ]),
    )
    const slowestList = listFigures.reduce((worst, one) => (one.p95 > worst.p95 ? one : worst))
    console.info('')
    printGoal(`start on ${kind}`, dashboard.seconds, 5, { unit: ' s' })
    printGoal(
      `lists of payments on ${kind}, p95 of the slowest (${slowestList.name})`,
      slowestList.p95,
      50,
      { unit: ' ms' },
    )
    console.info('')
  } finally {
    await dashboard.stop()
  }
}

/**
 * Measures the lists, pages and start of a dashboard with a million payments, 2,000 accounts and a
 * million logged requests. Measures it with PostgreSQL, then with the embedded store.
 */
export async function million({ quick, pinned, payments }) {
  const sandbox = await startSandbox(pinned ? { core: coreByRole.rest } : {})
  const postgres = await startPostgres()
  const dashboardOptions = { sandbox, ...(pinned ? { core: coreByRole.subject } : {}) }
  const mirrorSize = { payments, accounts: 2000 }
  const repeatOptions = { times: quick ? 10 : 40 }
  try {
    const fillPostgres = async () => {
      const client = new Client(postgres.url)
      await client.connect()
      const runSql = async (text) => [await client.query(text)].flat().at(-1).rows
      await runSql("set maintenance_work_mem = '512MB'; set synchronous_commit = off")
      await fillMirror(runSql, mirrorSize)
      await runSql('vacuum analyze')
      await client.end()
    }
    await measureOneStore(
      'PostgreSQL',
      { ...dashboardOptions, settings: { DATABASE_URL: postgres.url }, prepare: fillPostgres },
      repeatOptions,
    )
    const fillPglite = async (dataFolder) => {
      const pgliteClient = await PGlite.create(join(dataFolder, 'store/pg'))
      await fillMirror(
        async (text) => (await pgliteClient.exec(text)).at(-1)?.rows ?? [],
        mirrorSize,
      )
      await pgliteClient.exec('vacuum analyze')
      await pgliteClient.exec('checkpoint')
      await pgliteClient.close()
    }
    await measureOneStore('PGlite', { ...dashboardOptions, prepare: fillPglite }, repeatOptions)
  } finally {
    await postgres.stop()
    await sandbox.stop()
  }
}
