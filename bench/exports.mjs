import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { findQuantile, printGoal, printTable } from './lib/figures.mjs'
import { coreByRole } from './lib/pin.mjs'
import { startDashboard, startSandbox } from './lib/servers.mjs'
import { sendWithStepUp, signIn } from './lib/sign-in.mjs'

const paymentCount = 6000
const personCount = 30
/**
 * Milliseconds between the starts of two exports, because exports that start in the same
 * millisecond would delay each other.
 */
const exportStartIntervalMs = 100
const exportPath = '/api/sandbox/desk/exports/payments?zone=UTC'

const addPeopleSql = `with person as (
    insert into people (email, name, password_hash, demo)
    select 'exporter-' || n || '@paydesk.test', 'Exporter ' || n, password_hash, true
    from people, generate_series(1, ${personCount}) n where email = 'operator@paydesk.test' returning id)
  insert into grants (person_id, role, environment) select id, 'operator', 'sandbox' from person`

/** The dashboard must be stopped. `dataFolder` is its data folder with the embedded store. */
async function insertPeople(dataFolder) {
  const db = await PGlite.create(join(dataFolder, 'store/pg'))
  await db.exec(addPeopleSql)
  await db.close()
}

async function timeRequest(url) {
  const startedAt = performance.now()
  const sentRequest = request(url)
  sentRequest.end()
  const [response] = await once(sentRequest, 'response')
  for await (const _ of response);
  return performance.now() - startedAt
}

/**
 * Sends up to 100 requests a second until `workPromise` settles. Returns their durations in
 * milliseconds.
 */
async function timeRequestsDuring(url, workPromise) {
  const responseTimes = []
  let isWorkOver = false
  workPromise.finally(() => {
    isWorkOver = true
  })
  while (!isWorkOver) {
    responseTimes.push(await timeRequest(`${url}/api/health/ready`))
    await pause(10)
  }
  return responseTimes
}

/** Confirms the password for a first export, so that later exports need no confirmation. */
async function signInExporter(url, n) {
  const headers = await signIn(url, `exporter-${n}`)
  const reader = (await sendWithStepUp(url, headers, exportPath, {})).body.getReader()
  await reader.cancel()
  return headers
}

async function countExportedRows(url, headers) {
  const response = await fetch(url + exportPath, { headers })
  const text = await response.text()
  if (response.status !== 200)
    throw new Error(`the export was answered with ${response.status}: ${text}`)
  return text.split('\r\n').length - 2
}

async function measureExports({ url, label }) {
  const exporterHeaders = []
  for (let n = 1; n <= personCount; n += 1) exporterHeaders.push(await signInExporter(url, n))
  const exportsStartedAt = performance.now()
  const exportsPromise = Promise.all(
    exporterHeaders.map(async (headers, at) => {
      await pause(at * exportStartIntervalMs)
      return countExportedRows(url, headers)
    }),
  )
  const responseTimesDuringExports = await timeRequestsDuring(url, exportsPromise)
  const rowCounts = await exportsPromise
  return {
    label,
    rows: Math.min(...rowCounts),
    seconds: (performance.now() - exportsStartedAt) / 1000,
    waits: responseTimesDuringExports,
  }
}

/**
 * Measures how long health responses take while 30 people export all payments from the embedded
 * store. `against` is the folder of another checkout, whose build is measured too.
 */
export async function exports({ pinned, against }) {
  const sandbox = await startSandbox({
    ...(pinned ? { core: coreByRole.rest } : {}),
    payments: paymentCount,
  })
  const coreOption = pinned ? { core: coreByRole.subject } : {}
  const comparedBuilds = [
    { label: 'this build' },
    ...(against ? [{ label: 'other build', root: against }] : []),
  ]
  const exportMeasurements = []
  try {
    for (const { label, ...root } of comparedBuilds) {
      const dashboard = await startDashboard({
        ...coreOption,
        ...root,
        sandbox,
        prepare: insertPeople,
        imported: true,
      })
      try {
        exportMeasurements.push(await measureExports({ ...dashboard, label }))
      } finally {
        await dashboard.stop()
      }
    }
  } finally {
    await sandbox.stop()
  }
  printTable(
    ['', 'rows of each file', 'seconds', 'p50 ms', 'p99 ms', 'longest ms'],
    exportMeasurements.map(({ label, rows, seconds, waits }) => [
      label,
      rows,
      seconds.toFixed(1),
      findQuantile(waits, 0.5).toFixed(1),
      findQuantile(waits, 0.99).toFixed(1),
      Math.max(...waits).toFixed(1),
    ]),
  )
  console.info('')
  printGoal(
    `longest wait for health beside ${personCount} exports`,
    Math.max(...exportMeasurements[0].waits),
    250,
    { unit: ' ms', digits: 0 },
  )
}
