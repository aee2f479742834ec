import { Client } from 'pg'
import { type Dashboard, startDashboard } from './dashboard'
import { type Database, startDatabase } from './postgres'
import { type Sandbox, startSandbox } from './sandbox'
import { newWebhookSecret } from './webhook'
import { join, type WholeDesk } from './whole-desk'

type Shared = { sandbox: Sandbox; postgres: Database; dashboard: Dashboard; webhookSecret: string }

/** The desk of all files of this worker that need nothing special: to start one takes ten times what it takes to begin anew with one. */
let shared: Promise<Shared> | undefined

async function start(): Promise<Shared> {
  const [sandbox, postgres] = await Promise.all([startSandbox(), startDatabase('started')])
  const webhookSecret = newWebhookSecret()
  const env = { EMBEDDED_SANDBOX_WEBHOOK_SECRET: webhookSecret }
  const dashboard = await startDashboard({ serviceUrl: sandbox.url, apiKey: sandbox.keys.full, databaseUrl: postgres.url, env })
  // Vitest ends its workers by this signal.
  process.once('SIGTERM', () => {
    dashboard.abandon()
    sandbox.abandon()
    process.exit()
  })
  return { sandbox, postgres, dashboard, webhookSecret }
}

/** The process counts refusals by person for a minute, so each file has people that it never saw. */
const otherPeople = `
  set session_replication_role = replica;
  create temporary table other as select id as old, gen_random_uuid() as id from people;
  update grants set person_id = other.id from other where person_id = other.old;
  update people set id = other.id from other where people.id = other.old;`

async function renew({ sandbox, postgres, dashboard }: Shared): Promise<void> {
  await Promise.all([sandbox.renew(), postgres.renew()])
  const client = new Client(postgres.url)
  await client.connect()
  await client.query(otherPeople)
  await client.end()
  // By the time it answers, it has seen that its connections are gone, and makes new ones.
  await fetch(`${dashboard.url}/api/health/live`)
}

/**
 * A whole desk as `startWholeDesk` gives it without options, but in processes that earlier files of this worker used: its store and its sandbox begin anew,
 * its log and its data folder do not. A file that ends its processes or wants other settings starts its own.
 */
export async function sharedDesk(): Promise<WholeDesk> {
  const isFirst = !shared
  shared ??= start()
  const desk = await shared
  if (!isFirst) await renew(desk)
  const { url, log } = desk.dashboard
  const from = log().length
  return join({ ...desk, dashboard: { url, log: () => log().slice(from) }, stop: async () => undefined })
}
