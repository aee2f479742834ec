import 'server-only'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type SQL, sql } from 'drizzle-orm'

export const migrationsFolder = path.join(process.cwd(), 'drizzle')

/**
 * A store is `ahead` if a newer version migrated it, and `behind` if it lacks migrations of this
 * build.
 */
export type MigrationState = 'ok' | 'ahead' | 'behind'

type MigrationJournal = { entries: { when: number }[] }

const readBuildMigrationTime = (): number => {
  const journal = JSON.parse(
    readFileSync(path.join(migrationsFolder, 'meta/_journal.json'), 'utf8'),
  ) as MigrationJournal
  return Math.max(...journal.entries.map(({ when }) => when))
}

let cachedBuildMigrationTime: number | undefined

type Queryable = { execute: (query: SQL) => PromiseLike<unknown> }

/** In milliseconds since 1970; 0 if the store has no migration. */
async function readStoreMigrationTime(db: Queryable): Promise<number> {
  const newestMigrationResult = await db.execute(
    sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`,
  )
  const [row] = (newestMigrationResult as { rows: { newest: string | null }[] }).rows
  return Number(row?.newest)
}

export async function compareMigrations(db: Queryable): Promise<MigrationState> {
  cachedBuildMigrationTime ??= readBuildMigrationTime()
  const storeMigrationTime = await readStoreMigrationTime(db)
  return storeMigrationTime === cachedBuildMigrationTime
    ? 'ok'
    : storeMigrationTime > cachedBuildMigrationTime
      ? 'ahead'
      : 'behind'
}

const toDayText = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().slice(0, 10)

/**
 * Throws a one-line error if a newer version migrated the store, because writes of this version
 * would then fail.
 */
export async function rejectNewerStore(db: Queryable): Promise<void> {
  if ((await compareMigrations(db)) !== 'ahead') return
  const versionsText = `its newest migration is of ${toDayText(await readStoreMigrationTime(db))}, that of this version of ${toDayText(readBuildMigrationTime())}`
  throw new Error(
    `the store was migrated by a newer version of Paydesk (${versionsText}): start that one, or restore the backup from before the update`,
  )
}
