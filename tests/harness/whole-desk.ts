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

/** A sandbox, a PostgreSQL and a dashboard between them, with the operator signed in. */
export async function startWholeDesk(): Promise<WholeDesk> {
  const [sandbox, postgres] = await Promise.all([startSandbox(), startPostgres()])
  const dashboard = await startDashboard({ serviceUrl: sandbox.url, apiKey: sandbox.keys.full, databaseUrl: postgres.url })
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
