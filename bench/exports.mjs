import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { printGoal, printTable, quantile } from './lib/figures.mjs'
import { cores } from './lib/pin.mjs'
import { startDashboard, startSandbox } from './lib/servers.mjs'
import { confirmed, signIn } from './lib/sign-in.mjs'

const payments = 6000
const people = 30
/** Milliseconds between the starts of two exports. Requests in the same millisecond would delay each other. */
const apart = 100
const path = '/api/sandbox/desk/exports/payments?zone=UTC'

const addPeople = `with person as (
    insert into people (email, name, password_hash, demo)
    select 'exporter-' || n || '@paydesk.test', 'Exporter ' || n, password_hash, true
    from people, generate_series(1, ${people}) n where email = 'operator@paydesk.test' returning id)
  insert into grants (person_id, role, environment) select id, 'operator', 'sandbox' from person`

/** Inserts the people into the store of a dashboard that is stopped. */
async function fill(data) {
  const db = await PGlite.create(join(data, 'store/pg'))
  await db.exec(addPeople)
  await db.close()
}

async function waitOf(url) {
  const began = performance.now()
  const sent = request(url)
  sent.end()
  const [response] = await once(sent, 'response')
  for await (const _ of response);
  return performance.now() - began
}

/** Requests /api/health/ready up to a hundred times a second until `work` ends. Returns the milliseconds of each response. */
async function waitsDuring(url, work) {
  const waits = []
  let isOver = false
  work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    waits.push(await waitOf(`${url}/api/health/ready`))
    await pause(10)
  }
  return waits
}

/**
 * Signs a person in and confirms the password for an export. The exports that follow need no password check. Returns the headers of the
 * session.
 */
async function enter(url, n) {
  const headers = await signIn(url, `exporter-${n}`)
  const reader = (await confirmed(url, headers, path, {})).body.getReader()
  await reader.cancel()
  return headers
}

async function exportAs(url, headers) {
  const response = await fetch(url + path, { headers })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`the export was answered with ${response.status}: ${text}`)
  return text.split('\r\n').length - 2
}

async function measure({ url, label }) {
  const sessions = []
  for (let n = 1; n <= people; n += 1) sessions.push(await enter(url, n))
  const began = performance.now()
  const exporting = Promise.all(
    sessions.map(async (headers, at) => {
      await pause(at * apart)
      return exportAs(url, headers)
    }),
  )
  const waits = await waitsDuring(url, exporting)
  const rows = await exporting
  return { label, rows: Math.min(...rows), seconds: (performance.now() - began) / 1000, waits }
}

/**
 * Measures how long health responses take while 30 people export all payments. The dashboard uses the embedded store. `against` adds the
 * build of another checkout.
 */
export async function exports({ pinned, against }) {
  const sandbox = await startSandbox({ ...(pinned ? { core: cores.rest } : {}), payments })
  const core = pinned ? { core: cores.subject } : {}
  const roots = [{ label: 'this build' }, ...(against ? [{ label: 'other build', root: against }] : [])]
  const results = []
  try {
    for (const { label, ...root } of roots) {
      const desk = await startDashboard({ ...core, ...root, sandbox, prepare: fill, imported: true })
      try {
        results.push(await measure({ ...desk, label }))
      } finally {
        await desk.stop()
      }
    }
  } finally {
    await sandbox.stop()
  }
  printTable(
    ['', 'rows of each file', 'seconds', 'p50 ms', 'p99 ms', 'longest ms'],
    results.map(({ label, rows, seconds, waits }) => [
      label,
      rows,
      seconds.toFixed(1),
      quantile(waits, 0.5).toFixed(1),
      quantile(waits, 0.99).toFixed(1),
      Math.max(...waits).toFixed(1),
    ]),
  )
  console.info('')
  printGoal(`longest wait for health beside ${people} exports`, Math.max(...results[0].waits), 250, { unit: ' ms', digits: 0 })
}
