import { Client } from 'pg'
import { type Dashboard, startDashboard } from './dashboard'
import { type Database, startDatabase } from './postgres'
import { type Sandbox, startSandbox } from './sandbox'
import { newWebhookSecret } from './webhook'
import { connectDesk, type WholeDesk } from './whole-desk'

type SharedProcesses = { sandbox: Sandbox; postgres: Database; dashboard: Dashboard; webhookSecret: string }

/** The desk that the files of this worker share. Renewing a desk is ten times faster than starting one. */
let sharedProcesses: Promise<SharedProcesses> | undefined

async function startSharedProcesses(): Promise<SharedProcesses> {
  const [sandbox, postgres] = await Promise.all([startSandbox(), startDatabase('started')])
  const webhookSecret = newWebhookSecret()
  const env = { EMBEDDED_SANDBOX_WEBHOOK_SECRET: webhookSecret }
  const dashboard = await startDashboard({ serviceUrl: sandbox.url, apiKey: sandbox.keys.full, databaseUrl: postgres.url, env })
  // Vitest ends its workers with SIGTERM.
  process.once('SIGTERM', () => {
    dashboard.abandon()
    sandbox.abandon()
    process.exit()
  })
  return { sandbox, postgres, dashboard, webhookSecret }
}

/** SQL that gives all people new ids, because the process counts the refusals of each person for a minute. */
const renewPeopleSql = `
  set session_replication_role = replica;
  create temporary table other as select id as old, gen_random_uuid() as id from people;
  update grants set person_id = other.id from other where person_id = other.old;
  update people set id = other.id from other where people.id = other.old;`

async function renewDesk({ sandbox, postgres, dashboard }: SharedProcesses): Promise<void> {
  await Promise.all([sandbox.renew(), postgres.renew()])
  const client = new Client(postgres.url)
  await client.connect()
  await client.query(renewPeopleSql)
  await client.end()
  // When this request has its response, the process has noticed that its database connections were closed.
  await fetch(`${dashboard.url}/api/health/live`)
}

/**
 * Returns a desk like `startWholeDesk` without options, but in processes that earlier files of this worker used. Each file gets a new store
 * and new sandbox data. A test must start its own desk if it stops a process, changes settings, or causes a thousand refusals.
 */
export async function openSharedDesk(): Promise<WholeDesk> {
  const isFirst = !sharedProcesses
  sharedProcesses ??= startSharedProcesses()
  const desk = await sharedProcesses
  if (!isFirst) await renewDesk(desk)
  const { url, log } = desk.dashboard
  const logOffset = log().length
  return connectDesk({ ...desk, dashboard: { url, log: () => log().slice(logOffset) }, stop: async () => undefined })
}
