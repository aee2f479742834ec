import path from 'node:path'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { Client } from 'pg'
import { type AuditVerdict, type SeenHead, verifyAudit } from '@/lib/server/audit/verify'
import { openPglite } from '@/lib/server/store/pglite'
import type { Db } from '@/lib/server/store/store'
import { startDashboard } from './dashboard'
import { startPostgres } from './postgres'
import type { StoreKind } from './store-kinds'

type SqlRows = Record<string, unknown>[]
type OpenedStore = {
  db: Db
  run: (statements: string) => Promise<{ rows: unknown[] }[]>
  close: () => Promise<void>
}
export type DeskAndStore = Awaited<ReturnType<typeof startDeskAndStore>>

async function openStoreInDataFolder(dataDir: string): Promise<OpenedStore> {
  const { db, close } = await openPglite(path.join(dataDir, 'store'))
  return { db: drizzlePglite({ client: db }), run: (statements) => db.exec(statements), close }
}

async function openStoreInDatabase(url: string): Promise<OpenedStore> {
  const client = new Client(url)
  await client.connect()
  const runStatements = async (statements: string) => [await client.query(statements)].flat()
  return { db: drizzlePg({ client }), run: runStatements, close: () => client.end() }
}

/**
 * Starts a dashboard with this kind of store. `sql` and `verify` open the store as superuser, and
 * `shut` closes it. An embedded store can be open in only one process, so `sql` and `verify` stop
 * the dashboard first, and `shut` restarts it.
 */
export async function startDeskAndStore(
  kind: StoreKind,
  serviceOptions: { serviceUrl: string; apiKey: string },
) {
  const postgres = kind === 'PostgreSQL' ? await startPostgres() : null
  const dashboard = await startDashboard({
    ...serviceOptions,
    databaseUrl: postgres?.url,
    embeddedStore: !postgres,
  })
  let openedStore: OpenedStore | null = null
  let lastVerifiedHead: SeenHead | null = null

  async function getOpenStore(): Promise<OpenedStore> {
    if (openedStore) return openedStore
    if (!postgres) await dashboard.end()
    openedStore = postgres
      ? await openStoreInDatabase(postgres.url)
      : await openStoreInDataFolder(dashboard.dataDir)
    return openedStore
  }

  async function closeStore() {
    const closingStore = openedStore
    openedStore = null
    await closingStore?.close()
    if (closingStore && !postgres) await dashboard.restart()
  }

  return {
    dashboard,
    databaseUrl: postgres?.url ?? null,
    shut: closeStore,
    /** Runs SQL statements. Returns the rows of the last statement. */
    sql: async (statements: string): Promise<SqlRows> =>
      ((await (await getOpenStore()).run(statements)).at(-1)?.rows ?? []) as SqlRows,
    /**
     * Verifies the audit chain, as `npm run audit:verify` does. Also checks that the chain still
     * contains the newest row of the last successful call.
     */
    verify: async (): Promise<AuditVerdict> => {
      const verdict = await verifyAudit(
        (await getOpenStore()).db,
        lastVerifiedHead ? [lastVerifiedHead] : [],
      )
      if (!verdict.bad) lastVerifiedHead = verdict.head
      return verdict
    },
    stop: async () => {
      await openedStore?.close()
      await dashboard.stop()
      await postgres?.stop()
    },
  }
}
