import 'server-only'
import { and, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { partsOf } from '@/lib/domain/deletion-grounds'
import type { Environment } from '@/lib/operations/define'
import type { DeletionCertificate, DeletionView } from '@/lib/operations/deletion'
import { accountsGranted, accountText, rolesIn } from './scoped-account'
import type { Actor } from './session-rows'
import { deletions } from './store/desk-schema'
import { people } from './store/schema'
import { type Db, database } from './store/store'

/** A row of the requests. */
export type Deletion = typeof deletions.$inferSelect

const executors = alias(people, 'executors')

type Joined = { deletion: Deletion; requestedBy: string; executedBy: string | null }

function viewOf({ deletion, requestedBy, executedBy }: Joined, readerId: string): DeletionView {
  return {
    id: deletion.id,
    environment: deletion.environment,
    account: accountText(deletion.accountId),
    customer_id: deletion.customerId,
    state: deletion.state,
    ...partsOf(deletion.ground),
    identity_check: deletion.identityCheck,
    ticket: deletion.ticket,
    due_on: deletion.dueOn,
    requested_by: requestedBy,
    own: deletion.requestedBy === readerId,
    created_at: deletion.createdAt.toISOString(),
    executed_by: executedBy,
    executed_at: deletion.executedAt?.toISOString() ?? null,
    certificate_hash: deletion.certificateHash,
  }
}

const joined = (db: Db) =>
  db
    .select({ deletion: deletions, requestedBy: people.name, executedBy: executors.name })
    .from(deletions)
    .innerJoin(people, eq(people.id, deletions.requestedBy))
    .leftJoin(executors, eq(executors.id, deletions.executedBy))

/** The condition that leaves a person the requests of accounts they hold a role for. */
function seenBy(actor: Actor, environment: Environment) {
  const granted = accountsGranted(actor.grants, environment)
  const own = granted === null ? undefined : granted.length > 0 ? inArray(deletions.accountId, granted) : sql`false`
  return and(eq(deletions.environment, environment), own)
}

/** The requests about one customer that the person may see, newest first. */
export async function deletionsOf(actor: Actor, environment: Environment, customerId: string): Promise<DeletionView[]> {
  const db = await database()
  const rows = await joined(db)
    .where(and(seenBy(actor, environment), eq(deletions.customerId, customerId)))
    .orderBy(desc(deletions.createdAt))
    .limit(20)
  return rows.map((row) => viewOf(row, actor.id))
}

/** What a list of requests shows: `state` narrows it, `account` (bare id) too; the nearest day the law sets comes first. */
export type DeletionFilter = { state: Deletion['state'] | null; account: string | null; page: number; size: number }

/** One page of the requests a person may see, and how many there are in each state. */
export async function listDeletions(actor: Actor, environment: Environment, { state, account, page, size }: DeletionFilter) {
  const db = await database()
  const scope = and(seenBy(actor, environment), account ? eq(deletions.accountId, account) : undefined)
  const [rows, counted] = await Promise.all([
    joined(db)
      .where(and(scope, state ? eq(deletions.state, state) : undefined))
      .orderBy(sql`${deletions.dueOn} asc nulls last`, desc(deletions.createdAt))
      .limit(size)
      .offset((page - 1) * size),
    db.select({ state: deletions.state, rows: count() }).from(deletions).where(scope).groupBy(deletions.state),
  ])
  const counts = Object.fromEntries(counted.map((each) => [each.state, each.rows])) as Partial<Record<Deletion['state'], number>>
  return { deletions: rows.map((row) => viewOf(row, actor.id)), counts }
}

/** One request the person may see, with its certificate where it was issued; null for any other id. */
export async function findDeletion(
  actor: Actor,
  id: string,
): Promise<{ view: DeletionView; certificate: DeletionCertificate | null; deletion: Deletion } | null> {
  const db = await database()
  const [row] = await joined(db).where(eq(deletions.id, id))
  if (!row || rolesIn(actor.grants, row.deletion.environment, row.deletion.accountId).length === 0) return null
  return {
    view: viewOf(row, actor.id),
    certificate: (row.deletion.certificate as DeletionCertificate | null) ?? null,
    deletion: row.deletion,
  }
}

/** The open request about a customer, whoever asks; null where there is none. */
export async function openDeletion(db: Db, environment: Environment, customerId: string): Promise<Deletion | null> {
  const [row] = await db
    .select()
    .from(deletions)
    .where(and(eq(deletions.environment, environment), eq(deletions.customerId, customerId), eq(deletions.state, 'requested')))
  return row ?? null
}
