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

type Rows = Record<string, unknown>[]
type OpenStore = { db: Db; run: (statements: string) => Promise<{ rows: unknown[] }[]>; close: () => Promise<void> }
export type DeskAndStore = Awaited<ReturnType<typeof startDeskAndStore>>

async function openDataFolder(dataDir: string): Promise<OpenStore> {
  const { db, close } = await openPglite(path.join(dataDir, 'store'))
  return { db: drizzlePglite({ client: db }), run: (statements) => db.exec(statements), close }
}

async function openDatabase(url: string): Promise<OpenStore> {
  const client = new Client(url)
  await client.connect()
  const run = async (statements: string) => [await client.query(statements)].flat()
  return { db: drizzlePg({ client }), run, close: () => client.end() }
}

/**
 * Starts a dashboard with the given kind of store. Returns functions that open the store as superuser. While a data folder is open, the
 * dashboard is stopped, because only one process at a time can open it.
 */
export async function startDeskAndStore(kind: StoreKind, service: { serviceUrl: string; apiKey: string }) {
  const postgres = kind === 'PostgreSQL' ? await startPostgres() : null
  const dashboard = await startDashboard({ ...service, databaseUrl: postgres?.url, embeddedStore: !postgres })
  let openStore: OpenStore | null = null
  let lastHead: SeenHead | null = null

  async function getOpenStore(): Promise<OpenStore> {
    if (openStore) return openStore
    if (!postgres) await dashboard.end()
    openStore = postgres ? await openDatabase(postgres.url) : await openDataFolder(dashboard.dataDir)
    return openStore
  }

  async function shut() {
    const open = openStore
    openStore = null
    await open?.close()
    if (open && !postgres) await dashboard.restart()
  }

  return {
    dashboard,
    databaseUrl: postgres?.url ?? null,
    shut,
    /** Runs SQL statements. Returns the rows of the last statement. */
    sql: async (statements: string): Promise<Rows> => ((await (await getOpenStore()).run(statements)).at(-1)?.rows ?? []) as Rows,
    /** Verifies the audit chain and compares it with the last verified head, as `npm run audit:verify` does. */
    verify: async (): Promise<AuditVerdict> => {
      const verdict = await verifyAudit((await getOpenStore()).db, lastHead ? [lastHead] : [])
      if (!verdict.bad) lastHead = verdict.head
      return verdict
    },
    stop: async () => {
      await openStore?.close()
      await dashboard.stop()
      await postgres?.stop()
    },
  }
}
