import { Client } from 'pg'
import { type Dashboard, startDashboard } from './dashboard'
import { type RenewableDatabase, startDatabase } from './postgres'
import { type Sandbox, startSandbox } from './sandbox'
import { createWebhookSecret } from './webhook'
import { connectDesk, type WholeDesk } from './whole-desk'

type SharedProcesses = {
  sandbox: Sandbox
  postgres: RenewableDatabase
  dashboard: Dashboard
  webhookSecret: string
}

/**
 * The processes that all test files of this Vitest worker share. To reset them is ten times faster
 * than to start new ones.
 */
let sharedProcesses: Promise<SharedProcesses> | undefined

async function startSharedProcesses(): Promise<SharedProcesses> {
  const [sandbox, postgres] = await Promise.all([startSandbox(), startDatabase('started')])
  const webhookSecret = createWebhookSecret()
  const env = { EMBEDDED_SANDBOX_WEBHOOK_SECRET: webhookSecret }
  const dashboard = await startDashboard({
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    databaseUrl: postgres.url,
    env,
  })
  // Vitest ends its workers with SIGTERM. Without this, the shared processes would continue to run.
  process.once('SIGTERM', () => {
    dashboard.abandon()
    sandbox.abandon()
    process.exit()
  })
  return { sandbox, postgres, dashboard, webhookSecret }
}

/**
 * SQL that gives all people new ids. The dashboard process counts the refusals of each person id
 * for a minute, so old ids would keep the counts of the previous test file.
 */
const renewPeopleSql = `
  set session_replication_role = replica;
  create temporary table other as select id as old, gen_random_uuid() as id from people;
  update grants set person_id = other.id from other where person_id = other.old;
  update people set id = other.id from other where people.id = other.old;`

async function resetSharedDesk({ sandbox, postgres, dashboard }: SharedProcesses): Promise<void> {
  await Promise.all([sandbox.renew(), postgres.renew()])
  const client = new Client(postgres.url)
  await client.connect()
  await client.query(renewPeopleSql)
  await client.end()
  // The renewal closed the dashboard’s database connections. The dashboard has noticed that when it
  // responds to this request.
  await fetch(`${dashboard.url}/api/health/live`)
}

/**
 * Returns a desk like that of `startWholeDesk` without options, but its processes also serve other
 * test files of this worker. Each file gets a new store and new sandbox data. A test needs its own
 * desk (`startWholeDesk`) if it stops a process, changes settings, or causes a thousand refusals.
 */
export async function openSharedDesk(): Promise<WholeDesk> {
  const isFirstOpening = !sharedProcesses
  sharedProcesses ??= startSharedProcesses()
  const processes = await sharedProcesses
  if (!isFirstOpening) await resetSharedDesk(processes)
  const { url, log } = processes.dashboard
  const logOffset = log().length
  return connectDesk({
    ...processes,
    dashboard: { url, log: () => log().slice(logOffset) },
    stop: async () => undefined,
  })
}
