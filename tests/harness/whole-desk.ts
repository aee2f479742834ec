import { Client } from 'pg'
import { type Dashboard, startDashboard } from './dashboard'
import { type Person, signIn } from './person'
import { type Postgres, startPostgres } from './postgres'
import { type Sandbox, startSandbox } from './sandbox'

export type WholeDesk = {
  sandbox: Sandbox
  postgres: Postgres
  dashboard: Dashboard
  /** A line of the test's own into the dashboard's database. */
  db: Client
  operator: Person
  stop: () => Promise<void>
}

/** A sandbox, a PostgreSQL and a dashboard between them, with the operator signed in; with `production` that environment is served as well. */
export async function startWholeDesk({ production = false, payments = 200 } = {}): Promise<WholeDesk> {
  const [sandbox, postgres] = await Promise.all([startSandbox({ production, payments }), startPostgres()])
  const { production: second } = sandbox
  const env = second ? { SERVICE_PRODUCTION_URL: second.url, SERVICE_PRODUCTION_API_KEY: second.keys.full } : undefined
  const service = { serviceUrl: sandbox.url, apiKey: sandbox.keys.full }
  const dashboard = await startDashboard({ ...service, databaseUrl: postgres.url, ...(env ? { env } : {}) })
  const db = new Client(postgres.url)
  await db.connect()
  const operator = await signIn(dashboard.url)
  const stop = async () => {
    await db.end()
    await dashboard.stop()
    await postgres.stop()
    await sandbox.stop()
  }
  return { sandbox, postgres, dashboard, db, operator, stop }
}
