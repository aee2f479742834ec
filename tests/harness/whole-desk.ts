import { Client } from 'pg'
import { expect } from 'vitest'
import { type Role, roles } from '@/lib/operations/define'
import type { Integration } from '@/lib/operations/integration'
import { runCommand } from './command'
import { type Dashboard, startDashboard } from './dashboard'
import { findFreePort } from './free-port'
import { type Person, signIn } from './person'
import { type Postgres, startPostgres, startPostgresServer } from './postgres'
import { type Sandbox, startSandbox } from './sandbox'
import { makeDatabaseRoles, migrateAsOwner } from './two-roles'
import { waitUntil } from './wait-until'
import { createWebhookSecret } from './webhook'

export type WholeDesk = {
  sandbox: Sandbox
  postgres: Pick<Postgres, 'url'>
  dashboard: Pick<Dashboard, 'url' | 'log'>
  /** The test's own connection to the database of the dashboard. */
  db: Client
  operator: Person
  /**
   * The secret that signs webhook events. The sandbox sends events only if Paydesk was started with
   * the option `mirror`.
   */
  webhookSecret: string
  signIn: (role: Role) => Promise<Person>
  /**
   * Waits until the mirror (the dashboard’s copy of the service’s objects) contains these payments.
   */
  mirrored: (ids: readonly string[]) => Promise<void>
  stop: () => Promise<void>
}

/** A desk with processes of its own. Unlike a shared desk, its test may stop and restart them. */
export type IsolatedDesk = WholeDesk & { postgres: Postgres; dashboard: Dashboard }

/**
 * Creates a person for each role, with the email address `ROLE@company.test` and the password that
 * `signIn` uses.
 */
export async function createPersonPerRole(databaseUrl: string): Promise<void> {
  for (const role of roles) {
    const adminCreateFlags = ['--email', `${role}@company.test`, '--name', role, '--role', role]
    const { code, text } = await runCommand(
      'admin-create',
      adminCreateFlags,
      { DATABASE_URL: databaseUrl },
      'paydesk-demo\n',
    )
    if (code !== 0) throw new Error(text)
  }
}

type DeskProcesses = Pick<
  WholeDesk,
  'sandbox' | 'postgres' | 'dashboard' | 'webhookSecret' | 'stop'
>

/** Adds a connection to the database and a signed-in operator to running processes of Paydesk. */
export async function connectDesk(
  processes: DeskProcesses,
  { domain = 'paydesk', databaseUrl = processes.postgres.url } = {},
): Promise<WholeDesk> {
  const signInAs = (role: Role) => signIn(processes.dashboard.url, `${role}@${domain}.test`)
  const db = new Client(databaseUrl)
  await db.connect()
  const operator = await signInAs('operator')
  const waitUntilPaymentsMirrored = async (ids: readonly string[]) => {
    const countMirroredPayments = async () =>
      (await db.query('select 1 from mirror_payments where id = any($1)', [ids])).rowCount
    await waitUntil('the payments in the mirror', async () =>
      (await countMirroredPayments()) === ids.length ? true : null,
    )
  }
  const stopDesk = async () => {
    await db.end()
    await processes.stop()
  }
  return {
    ...processes,
    db,
    operator,
    signIn: signInAs,
    mirrored: waitUntilPaymentsMirrored,
    stop: stopDesk,
  }
}

type WholeDeskOptions = {
  production?: boolean
  payments?: number
  mirror?: boolean
  /** Kind of integration that the sandbox imitates and the dashboard is set to. */
  integration?: Integration
  /**
   * If true, PostgreSQL has the database roles of a production setup: the role of the dashboard
   * owns nothing, and another role reads for people who can see only some accounts.
   */
  twoRoles?: boolean
  /** The folder in which the dashboard starts, by default the project's own. */
  folder?: string
  /** Returns additional settings of the dashboard. `url` is the URL of the dashboard. */
  settingsAt?: (url: string) => Promise<Record<string, string>>
}

/**
 * Starts a sandbox, a PostgreSQL database and a dashboard, and signs in an operator. With `mirror`,
 * the dashboard imports the objects of the sandbox and receives its webhook events. With
 * `production`, both environments are configured services. Demo people do not exist beside
 * production, so a command creates the people.
 */
export async function startWholeDesk({
  production = false,
  payments = 200,
  mirror = false,
  integration = 'saas',
  twoRoles = false,
  folder = '.',
  settingsAt,
}: WholeDeskOptions = {}): Promise<IsolatedDesk> {
  const port = await findFreePort()
  const webhookUrl = mirror ? `http://127.0.0.1:${port}/api/webhooks/sandbox` : ''
  const [sandbox, postgres] = await Promise.all([
    startSandbox({ production, payments, webhooksTo: webhookUrl, integration }),
    twoRoles ? startPostgresServer() : startPostgres(),
  ])
  const { production: productionSandbox } = sandbox
  const webhookSecret = sandbox.webhookSecret || createWebhookSecret()
  const dashboardEnv: Record<string, string> = productionSandbox
    ? {
        SERVICE_PRODUCTION_URL: productionSandbox.url,
        SERVICE_PRODUCTION_API_KEY: productionSandbox.keys.full,
      }
    : { EMBEDDED_SANDBOX_WEBHOOK_SECRET: webhookSecret }
  const serviceOptions = {
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    embedded: !production,
  }
  const databaseUrls = twoRoles
    ? await makeDatabaseRoles(postgres)
    : { serving: postgres.url, above: postgres.url }
  if ('owner' in databaseUrls) expect((await migrateAsOwner(databaseUrls)).code).toBe(0)
  const extraSettings = await settingsAt?.(`http://127.0.0.1:${port}`)
  const dashboard = await startDashboard({
    ...serviceOptions,
    port,
    mirror,
    folder,
    databaseUrl: databaseUrls.serving,
    env: { ...dashboardEnv, SERVICE_SANDBOX_INTEGRATION: integration, ...extraSettings },
  })
  if (production) await createPersonPerRole(postgres.url)
  const stopProcesses = async () => {
    await dashboard.stop()
    await postgres.stop()
    await sandbox.stop()
  }
  const connectedDesk = await connectDesk(
    { sandbox, postgres, dashboard, webhookSecret, stop: stopProcesses },
    { domain: production ? 'company' : 'paydesk', databaseUrl: databaseUrls.above },
  )
  return { ...connectedDesk, postgres, dashboard }
}
