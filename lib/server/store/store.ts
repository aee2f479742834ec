import 'server-only'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { migrate as migratePg } from 'drizzle-orm/node-postgres/migrator'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import { Pool } from 'pg'
import { AppError } from '@/lib/errors'
import { readStoreSettings, type StoreTimes } from '@/lib/server/config/store-settings'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { shared } from '@/lib/server/shared'
import { findLimitedRole } from './limited-role'
import { compareMigrations, migrationsFolder, rejectNewerStore } from './migrations'
import { createEmbeddedNotifications, createServerNotifications, type StoreNotifications } from './notifications'
import { openPglite } from './pglite'
import { auditHead } from './schema/audit'
import { startUpkeep, vacuumAllTables } from './upkeep'

/** Milliseconds after which a store that does not respond no longer delays the end of the process. */
const shutdownTimeoutMs = 5000

const backgroundWrites = shared('last writes', () => new Set<Promise<void>>())

/** Delays shutdown until this background write finishes. The promise must not reject. */
export function delayExitFor(write: Promise<void>): void {
  backgroundWrites.add(write)
  void write.finally(() => backgroundWrites.delete(write))
}

/** Resolves when all background writes have finished, or after the timeout. */
export const waitForBackgroundWrites = async (): Promise<void> => {
  await Promise.race([Promise.all(backgroundWrites), wait(shutdownTimeoutMs)])
}

/** The store, or a transaction in it, for the same queries. Inside a transaction, use only the transaction: PGlite would deadlock. */
export type Db = PgDatabase<PgQueryResultHKT>

/**
 * An open store. `alone` is true if only this process uses it (the embedded store): then it can take over the work of a dead process at
 * once. For `limitedRole`, see `limited.ts`.
 */
type Store = {
  db: Db
  run: RunSql
  notices: StoreNotifications
  alone: boolean
  limitedRole: string | null
  connections: () => Connections
  close: () => Promise<void>
}

/** Connections of this process to a server: the number in use, and the number of requests that wait for one. */
type Connections = { used: number; waiting: number }

/** Runs SQL of a library. Without values, the text may be several statements; the result is that of the last one. */
type RunSql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[]; rowCount: number }>

const createEmbeddedRun =
  (pglite: PGlite): RunSql =>
  async (text, values = []) => {
    const result = values.length > 0 ? await pglite.query(text, values) : (await pglite.exec(text)).at(-1)
    return { rows: result?.rows ?? [], rowCount: result?.affectedRows ?? 0 }
  }

const createServerRun =
  (pool: Pool): RunSql =>
  async (text, values = []) => {
    const result = [await pool.query(text, values)].flat().at(-1)
    return { rows: result?.rows ?? [], rowCount: result?.rowCount ?? 0 }
  }

/** Runs the steps that a newly opened store needs. If one fails, closes the store, so that the next try can open it again. */
async function prepareOrClose<T>(close: () => Promise<unknown>, prepare: () => Promise<T>): Promise<T> {
  try {
    return await prepare()
  } catch (error) {
    await close()
    throw error
  }
}

async function openFolder(dataDir: string): Promise<Store> {
  const { db: pglite, close } = await openPglite(path.join(dataDir, 'store'))
  const db = drizzlePglite({ client: pglite })
  await prepareOrClose(close, async () => {
    await migratePglite(db, { migrationsFolder })
    await rejectNewerStore(db)
    await vacuumAllTables(pglite)
  })
  const upkeep = startUpkeep(pglite)
  return {
    db,
    run: createEmbeddedRun(pglite),
    notices: createEmbeddedNotifications(pglite),
    alone: true,
    limitedRole: null,
    connections: () => ({ used: 0, waiting: 0 }),
    close: () => {
      upkeep.stop()
      return close()
    },
  }
}

/** PostgreSQL's code for a protocol violation. A connection pooler returns it for a startup parameter that it does not know. */
const protocolViolationCode = '08P01'

/**
 * Connects once, so that a wrong address or certificate has an error of its own. Its text omits that of the driver, which contains names of
 * hosts and users.
 */
async function checkConnection(pool: Pool): Promise<void> {
  try {
    await pool.query('select 1')
  } catch (error) {
    await pool.end()
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
    const advice = code === protocolViolationCode ? ': behind a pooler, set DATABASE_LISTEN_URL to the address of the database itself' : ''
    throw new Error(`DATABASE_URL: no connection to the database (${code})${advice}`)
  }
}

/** PostgreSQL's codes for a missing permission, a missing table, and a missing schema. */
const [insufficientPrivilege, ...absent] = ['42501', '42P01', '3F000']

/** Runs the migrations on a separate connection, because they may take longer than any other statement. */
async function migrateServer(connectionString: string): Promise<void> {
  const pool = new Pool({ connectionString, max: 1, connectionTimeoutMillis: 5000, application_name: 'paydesk-migrate' })
  await migratePg(drizzlePg({ client: pool }), { migrationsFolder }).finally(() => pool.end())
}

/** Migrates a server's store if the role of DATABASE_URL may do that. If the role owns nothing, the store must already be migrated. */
async function migrateIfAllowed(db: Db, databaseUrl: string): Promise<void> {
  try {
    const state = await compareMigrations(db).catch((error: unknown) => {
      if (absent.includes(getErrorCode(error))) return 'behind'
      throw error
    })
    if (state === 'behind') await migrateServer(databaseUrl)
  } catch (error) {
    if (getErrorCode(error) !== insufficientPrivilege) throw error
    throw new Error(
      'DATABASE_URL: its role may not bring the store up to date: run npm run db:migrate with DATABASE_MIGRATION_URL of the role that owns it',
    )
  }
}

/**
 * Statement and lock timeouts (milliseconds) that a connection sets when it begins. A connection pooler refuses these parameters; with one,
 * set the timeouts on the role (`alter role`).
 */
const toSessionTimeouts = ({ statement, lock }: StoreTimes, isPooled: boolean) =>
  isPooled ? {} : { statement_timeout: statement * 1000, lock_timeout: lock * 1000 }

async function warnWithoutTimeout(db: Db): Promise<void> {
  const { rows } = (await db.execute(sql`select current_setting('statement_timeout') = '0' as endless`)) as unknown as {
    rows: { endless: boolean }[]
  }
  if (rows[0]?.endless) log.warn({ event: 'store.statements_without_limit' })
}

async function openServer(databaseUrl: string, { listenUrl, times }: ReturnType<typeof readStoreSettings>): Promise<Store> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 10,
    // This time includes the wait for one of the ten connections.
    connectionTimeoutMillis: times.connection * 1000,
    ...toSessionTimeouts(times, listenUrl !== undefined),
    application_name: 'paydesk',
  })
  // A lost idle connection must not end the process, because the pool opens another.
  pool.on('error', (error) => log.warn({ event: 'store.connection_lost', code: getErrorCode(error) }))
  const db = drizzlePg({ client: pool })
  await checkConnection(pool)
  const limitedRole = await prepareOrClose(
    () => pool.end(),
    async () => {
      await migrateIfAllowed(db, databaseUrl)
      await rejectNewerStore(db)
      await warnWithoutTimeout(db)
      return findLimitedRole(db)
    },
  )
  const notifications = createServerNotifications(listenUrl ?? databaseUrl, (channel) =>
    pool.query('select pg_notify($1, $2)', [channel, '']),
  )
  return {
    db,
    run: createServerRun(pool),
    notices: notifications,
    alone: false,
    limitedRole,
    connections: () => ({ used: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    close: () => notifications.close().then(() => pool.end()),
  }
}

async function openStore(): Promise<Store> {
  const settings = readStoreSettings()
  return settings.databaseUrl ? openServer(settings.databaseUrl, settings) : openFolder(settings.dataDir)
}

const openedStore = shared<{ store: Promise<Store> | undefined }>('store', () => ({ store: undefined }))

/**
 * Returns the store of this process, opened and migrated at first use: PostgreSQL if DATABASE_URL is set, otherwise the folder `store` in
 * DATA_DIR. Throws the error of opening it; the next call tries again.
 */
export function store(): Promise<Store> {
  openedStore.store ??= openStore().catch((error: unknown) => {
    openedStore.store = undefined
    throw error
  })
  return openedStore.store
}

export const database = async (): Promise<Db> => (await store()).db

/** Returns the database time, which is the same for all instances. */
export async function readStoreTime(): Promise<Date> {
  const [row] = await (await database())
    .select({ at: sql<string>`to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` })
    .from(auditHead)
  if (!row) throw new Error('the store does not tell the time')
  return new Date(row.at)
}

/** Closes the store if it is open. The next use opens it again. For commands. */
export async function closeStore(): Promise<void> {
  const pendingStore = openedStore.store
  openedStore.store = undefined
  await (await pendingStore)?.close()
}

/**
 * Closes the store permanently, after the last background writes. Later requests of the stopping process are refused, because they would
 * open the folder of the embedded store again. Never throws, and ends within a limited time.
 */
export async function endStore(): Promise<void> {
  await waitForBackgroundWrites()
  const open = openedStore.store
  const refusedStore = Promise.reject<Store>(new AppError('unavailable', 'Paydesk is stopping'))
  refusedStore.catch(() => {})
  openedStore.store = refusedStore
  const storeClosed = (async () => (await open)?.close())().then(() => log.info({ event: 'stopped' }))
  await Promise.race([storeClosed, wait(shutdownTimeoutMs)]).catch((error: unknown) =>
    log.warn({ event: 'store.not_closed', code: getErrorCode(error) }),
  )
}
