import 'server-only'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type SQL, sql } from 'drizzle-orm'

export const migrationsFolder = path.join(process.cwd(), 'drizzle')

/**
 * The migrations of a store, compared with this build: `ahead` has some of a newer version,
 * `behind` lacks some of this one.
 */
export type MigrationState = 'ok' | 'ahead' | 'behind'

type Journal = { entries: { when: number }[] }

const readNewestMigration = (): number => {
  const journal = JSON.parse(
    readFileSync(path.join(migrationsFolder, 'meta/_journal.json'), 'utf8'),
  ) as Journal
  return Math.max(...journal.entries.map(({ when }) => when))
}

let cachedBuildMigration: number | undefined

type Queryable = { execute: (query: SQL) => PromiseLike<unknown> }

/**
 * Returns the time of the newest migration of a store (milliseconds since 1970); 0 if it has none.
 */
async function readStoreMigration(db: Queryable): Promise<number> {
  const result = await db.execute(
    sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`,
  )
  const [row] = (result as { rows: { newest: string | null }[] }).rows
  return Number(row?.newest)
}

/** Compares the migrations of a store with this build. Throws store errors. */
export async function compareMigrations(db: Queryable): Promise<MigrationState> {
  cachedBuildMigration ??= readNewestMigration()
  const storeMigration = await readStoreMigration(db)
  return storeMigration === cachedBuildMigration
    ? 'ok'
    : storeMigration > cachedBuildMigration
      ? 'ahead'
      : 'behind'
}

const toDay = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)

/**
 * Throws a one-line error if a newer version migrated the store, because writes of this version
 * would fail.
 */
export async function rejectNewerStore(db: Queryable): Promise<void> {
  if ((await compareMigrations(db)) !== 'ahead') return
  const versionsText = `its newest migration is of ${toDay(await readStoreMigration(db))}, that of this version of ${toDay(readNewestMigration())}`
  throw new Error(
    `the store was migrated by a newer version of Paydesk (${versionsText}): start that one, or restore the backup from before the update`,
  )
}
