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
import { readStoreSettings, type StoreTimeouts } from '@/lib/server/config/store-settings'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { getSharedValue } from '@/lib/server/shared'
import { findLimitedRole } from './limited-role'
import { compareMigrations, migrationsFolder, rejectNewerStore } from './migrations'
import {
  createEmbeddedNotifications,
  createServerNotifications,
  type StoreNotifications,
} from './notifications'
import { openPglite } from './pglite'
import { auditHead } from './schema/audit'
import { startUpkeep, vacuumAllTables } from './upkeep'

/** After this time, a database that does not respond no longer delays the end of the process. */
const shutdownTimeoutMs = 5000

const backgroundWrites = getSharedValue('last writes', () => new Set<Promise<void>>())

/** Delays shutdown until this background write finishes. The promise must not reject. */
export function delayExitFor(write: Promise<void>): void {
  backgroundWrites.add(write)
  void write.finally(() => backgroundWrites.delete(write))
}

export const waitForBackgroundWrites = async (): Promise<void> => {
  await Promise.race([Promise.all(backgroundWrites), wait(shutdownTimeoutMs)])
}

/**
 * Inside a transaction, use only the transaction: on PGlite, a query to the database would wait for
 * the end of the transaction, and the transaction for the query.
 */
export type Db = PgDatabase<PgQueryResultHKT>

/**
 * `alone` is true for the embedded database, which only this process uses: the process can then
 * take over the work of a dead process at once. For `limitedRole`, see `limited-role.ts`.
 */
type Store = {
  db: Db
  run: RunSql
  notices: StoreNotifications
  alone: boolean
  limitedRole: string | null
  connections: () => ConnectionCounts
  close: () => Promise<void>
}

/** Connections to a server: those in use, and the requests that wait for one. */
type ConnectionCounts = { used: number; waiting: number }

/** Without values, the text may have several statements; the result is that of the last one. */
type RunSql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[]; rowCount: number }>

const createEmbeddedSqlRunner =
  (pglite: PGlite): RunSql =>
  async (text, values = []) => {
    const lastResult =
      values.length > 0 ? await pglite.query(text, values) : (await pglite.exec(text)).at(-1)
    return { rows: lastResult?.rows ?? [], rowCount: lastResult?.affectedRows ?? 0 }
  }

const createServerSqlRunner =
  (pool: Pool): RunSql =>
  async (text, values = []) => {
    const lastStatementResult = [await pool.query(text, values)].flat().at(-1)
    return { rows: lastStatementResult?.rows ?? [], rowCount: lastStatementResult?.rowCount ?? 0 }
  }

/** If a step fails, closes the database, so that the next try can open it again. */
async function prepareOrClose<T>(
  close: () => Promise<unknown>,
  prepare: () => Promise<T>,
): Promise<T> {
  try {
    return await prepare()
  } catch (error) {
    await close()
    throw error
  }
}

async function openEmbeddedStore(dataDir: string): Promise<Store> {
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
    run: createEmbeddedSqlRunner(pglite),
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

/** Protocol violation: returned by a pooler for a startup parameter that it does not know. */
const protocolViolationCode = '08P01'

/**
 * Reports a wrong address or certificate early. The error has the driver's code but not its text,
 * which contains names of hosts and users.
 */
async function checkConnection(pool: Pool): Promise<void> {
  try {
    await pool.query('select 1')
  } catch (error) {
    await pool.end()
    const errorCode = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
    const poolerAdvice =
      errorCode === protocolViolationCode
        ? ': behind a pooler, set DATABASE_LISTEN_URL to the address of the database itself'
        : ''
    throw new Error(`DATABASE_URL: no connection to the database (${errorCode})${poolerAdvice}`)
  }
}

/** PostgreSQL's codes for a missing permission, a missing table, and a missing schema. */
const [insufficientPrivilegeCode, ...absent] = ['42501', '42P01', '3F000']

/**
 * Uses a connection without statement timeout, because migrations may take longer than any other
 * statement.
 */
async function migrateServer(connectionString: string): Promise<void> {
  const pool = new Pool({
    connectionString,
    max: 1,
    connectionTimeoutMillis: 5000,
    application_name: 'paydesk-migrate',
  })
  await migratePg(drizzlePg({ client: pool }), { migrationsFolder }).finally(() => pool.end())
}

/** Throws if the role of DATABASE_URL may not migrate a database that needs it. */
async function migrateIfAllowed(db: Db, databaseUrl: string): Promise<void> {
  try {
    const migrationState = await compareMigrations(db).catch((error: unknown) => {
      if (absent.includes(getErrorCode(error))) return 'behind'
      throw error
    })
    if (migrationState === 'behind') await migrateServer(databaseUrl)
  } catch (error) {
    if (getErrorCode(error) !== insufficientPrivilegeCode) throw error
    throw new Error(
      'DATABASE_URL: its role may not bring the store up to date: run npm run db:migrate with DATABASE_MIGRATION_URL of the role that owns it',
    )
  }
}

/**
 * Timeouts that each connection sets at its start. Poolers refuse these parameters, so with a
 * pooler an admin must set the timeouts on the database role (`alter role`).
 */
const toSessionTimeouts = ({ statement, lock }: StoreTimeouts, isPooled: boolean) =>
  isPooled ? {} : { statement_timeout: statement * 1000, lock_timeout: lock * 1000 }

async function warnIfNoStatementTimeout(db: Db): Promise<void> {
  const { rows } = (await db.execute(
    sql`select current_setting('statement_timeout') = '0' as endless`,
  )) as unknown as {
    rows: { endless: boolean }[]
  }
  if (rows[0]?.endless) log.warn({ event: 'store.statements_without_limit' })
}

async function openServerStore(
  databaseUrl: string,
  { listenUrl, times }: ReturnType<typeof readStoreSettings>,
): Promise<Store> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 10,
    // This time includes the wait for one of the ten connections.
    connectionTimeoutMillis: times.connection * 1000,
    ...toSessionTimeouts(times, listenUrl !== undefined),
    application_name: 'paydesk',
  })
  // A lost idle connection must not end the process, because the pool opens another.
  pool.on('error', (error) =>
    log.warn({ event: 'store.connection_lost', code: getErrorCode(error) }),
  )
  const db = drizzlePg({ client: pool })
  await checkConnection(pool)
  const limitedRole = await prepareOrClose(
    () => pool.end(),
    async () => {
      await migrateIfAllowed(db, databaseUrl)
      await rejectNewerStore(db)
      await warnIfNoStatementTimeout(db)
      return findLimitedRole(db)
    },
  )
  const notifications = createServerNotifications(listenUrl ?? databaseUrl, (channel) =>
    pool.query('select pg_notify($1, $2)', [channel, '']),
  )
  return {
    db,
    run: createServerSqlRunner(pool),
    notices: notifications,
    alone: false,
    limitedRole,
    connections: () => ({ used: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    close: () => notifications.close().then(() => pool.end()),
  }
}

async function openStore(): Promise<Store> {
  const storeSettings = readStoreSettings()
  return storeSettings.databaseUrl
    ? openServerStore(storeSettings.databaseUrl, storeSettings)
    : openEmbeddedStore(storeSettings.dataDir)
}

const openedStore = getSharedValue<{ store: Promise<Store> | undefined }>('store', () => ({
  store: undefined,
}))

/**
 * Opened and migrated at first use: PostgreSQL if DATABASE_URL is set, otherwise the folder `store`
 * in DATA_DIR. If that fails, throws; the next call tries again.
 */
export function getStore(): Promise<Store> {
  openedStore.store ??= openStore().catch((error: unknown) => {
    openedStore.store = undefined
    throw error
  })
  return openedStore.store
}

export const getDatabase = async (): Promise<Db> => (await getStore()).db

/** Returns the database time, which is the same for all instances. */
export async function readStoreTime(): Promise<Date> {
  const [row] = await (await getDatabase())
    .select({
      at: sql<string>`to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    })
    .from(auditHead)
  if (!row) throw new Error('the store does not tell the time')
  return new Date(row.at)
}

/** The next use opens it again. For command-line scripts and tests. */
export async function closeStore(): Promise<void> {
  const pendingStore = openedStore.store
  openedStore.store = undefined
  await (await pendingStore)?.close()
}

/**
 * Waits for background writes. Refuses later requests of the stopping process, because they would
 * open the embedded database again. Never throws, and ends within a limited time.
 */
export async function endStore(): Promise<void> {
  await waitForBackgroundWrites()
  const storeToClose = openedStore.store
  const refusedStorePromise = Promise.reject<Store>(
    new AppError('unavailable', 'Paydesk is stopping'),
  )
  refusedStorePromise.catch(() => {})
  openedStore.store = refusedStorePromise
  const closePromise = (async () => (await storeToClose)?.close())().then(() =>
    log.info({ event: 'stopped' }),
  )
  await Promise.race([closePromise, wait(shutdownTimeoutMs)]).catch((error: unknown) =>
    log.warn({ event: 'store.not_closed', code: getErrorCode(error) }),
  )
}
