import { Client } from 'pg'
import { expect } from 'vitest'
import { type Role, roles } from '@/lib/operations/define'
import { runCommand } from './command'
import { type Dashboard, startDashboard } from './dashboard'
import { findFreePort } from './free-port'
import { type Person, signIn } from './person'
import { type Postgres, startPostgres, startServer } from './postgres'
import { type Sandbox, startSandbox } from './sandbox'
import { makeRoles, migrateAsOwner } from './two-roles'
import { waitUntil } from './wait-until'
import { newWebhookSecret } from './webhook'

export type WholeDesk = {
  sandbox: Sandbox
  postgres: Pick<Postgres, 'url'>
  dashboard: Pick<Dashboard, 'url' | 'log'>
  /** The test's own connection to the database of the dashboard. */
  db: Client
  operator: Person
  /** The secret that signs webhook events. The sandbox itself sends events only with `mirror`. */
  webhookSecret: string
  signIn: (role: Role) => Promise<Person>
  /** Waits until the mirror of the desk contains these payments. */
  mirrored: (ids: readonly string[]) => Promise<void>
  stop: () => Promise<void>
}

/** A desk whose processes only one file uses, so that the test may stop and restart them. */
export type OwnDesk = WholeDesk & { postgres: Postgres; dashboard: Dashboard }

/** Creates a person of each role as `ROLE@company.test`, with the password that `signIn` uses. */
export async function createPeople(databaseUrl: string): Promise<void> {
  for (const role of roles) {
    const flags = ['--email', `${role}@company.test`, '--name', role, '--role', role]
    const { code, text } = await runCommand('admin-create', flags, { DATABASE_URL: databaseUrl }, 'paydesk-demo\n')
    if (code !== 0) throw new Error(text)
  }
}

type DeskProcesses = Pick<WholeDesk, 'sandbox' | 'postgres' | 'dashboard' | 'webhookSecret' | 'stop'>

/** Adds a connection to the database and a signed-in operator to a running desk. Returns the desk. */
export async function connectDesk(parts: DeskProcesses, { domain = 'paydesk', databaseUrl = parts.postgres.url } = {}): Promise<WholeDesk> {
  const signInAs = (role: Role) => signIn(parts.dashboard.url, `${role}@${domain}.test`)
  const db = new Client(databaseUrl)
  await db.connect()
  const operator = await signInAs('operator')
  const mirrored = async (ids: readonly string[]) => {
    const countRows = async () => (await db.query('select 1 from mirror_payments where id = any($1)', [ids])).rowCount
    await waitUntil('the payments in the mirror', async () => ((await countRows()) === ids.length ? true : null))
  }
  const stop = async () => {
    await db.end()
    await parts.stop()
  }
  return { ...parts, db, operator, signIn: signInAs, mirrored, stop }
}

type WholeDeskOptions = {
  production?: boolean
  payments?: number
  mirror?: boolean
  /**
   * If true, PostgreSQL has the roles of a production setup: the dashboard's role owns nothing, and another role reads for people who have
   * only some accounts.
   */
  twoRoles?: boolean
  /** The folder in which the dashboard starts, by default the project's own. */
  folder?: string
  /** Returns further settings of the dashboard, given its URL. */
  settingsAt?: (url: string) => Promise<Record<string, string>>
}

/**
 * Starts a sandbox, a PostgreSQL database and a dashboard, and signs in an operator. With `mirror`, the desk has imported the sandbox's
 * objects and receives its webhook events. With `production`, both environments are configured services. A command then creates the people,
 * because demo people never exist beside production.
 */
export async function startWholeDesk({
  production = false,
  payments = 200,
  mirror = false,
  twoRoles = false,
  folder = '.',
  settingsAt,
}: WholeDeskOptions = {}): Promise<OwnDesk> {
  const port = await findFreePort()
  const webhooksTo = mirror ? `http://127.0.0.1:${port}/api/webhooks/sandbox` : ''
  const [sandbox, postgres] = await Promise.all([
    startSandbox({ production, payments, webhooksTo }),
    twoRoles ? startServer() : startPostgres(),
  ])
  const { production: productionSandbox } = sandbox
  const webhookSecret = sandbox.webhookSecret || newWebhookSecret()
  const env: Record<string, string> = productionSandbox
    ? { SERVICE_PRODUCTION_URL: productionSandbox.url, SERVICE_PRODUCTION_API_KEY: productionSandbox.keys.full }
    : { EMBEDDED_SANDBOX_WEBHOOK_SECRET: webhookSecret }
  const service = { serviceUrl: sandbox.url, apiKey: sandbox.keys.full, embedded: !production }
  const databaseUrls = twoRoles ? await makeRoles(postgres) : { serving: postgres.url, above: postgres.url }
  if ('owner' in databaseUrls) expect((await migrateAsOwner(databaseUrls)).code).toBe(0)
  const extraSettings = await settingsAt?.(`http://127.0.0.1:${port}`)
  const dashboard = await startDashboard({
    ...service,
    port,
    mirror,
    folder,
    databaseUrl: databaseUrls.serving,
    env: { ...env, ...extraSettings },
  })
  if (production) await createPeople(postgres.url)
  const stop = async () => {
    await dashboard.stop()
    await postgres.stop()
    await sandbox.stop()
  }
  const connectedDesk = await connectDesk(
    { sandbox, postgres, dashboard, webhookSecret, stop },
    { domain: production ? 'company' : 'paydesk', databaseUrl: databaseUrls.above },
  )
  return { ...connectedDesk, postgres, dashboard }
}
