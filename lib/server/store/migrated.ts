import 'server-only'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type SQL, sql } from 'drizzle-orm'

export const migrationsFolder = path.join(process.cwd(), 'drizzle')

/** How a store stands to this build: a newer one has given it migrations we do not know, or it lacks some of ours. */
export type Migrated = 'ok' | 'ahead' | 'behind'

type Journal = { entries: { when: number }[] }

const newest = (): number => {
  const journal = JSON.parse(readFileSync(path.join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as Journal
  return Math.max(...journal.entries.map(({ when }) => when))
}

let built: number | undefined

/** Whether a store has the migrations of this build. Throws what the store throws. */
export async function migrated(db: { execute: (query: SQL) => PromiseLike<unknown> }): Promise<Migrated> {
  built ??= newest()
  const result = await db.execute(sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`)
  const [row] = (result as { rows: { newest: string | null }[] }).rows
  const last = Number(row?.newest)
  return last === built ? 'ok' : last > built ? 'ahead' : 'behind'
}
