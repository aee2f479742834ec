import 'server-only'
import { and, asc, count, desc, eq, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { toExclusiveEnd } from '@/lib/dates'
import { splitGroundCodes } from '@/lib/features/deletions/labels'
import type { Environment } from '@/lib/operations/define'
import type { DeletionCertificate, DeletionsFilter, DeletionView } from '@/lib/operations/deletion'
import { getOwnerRule } from '@/lib/operations/ownership'
import { formatAccountId, getGrantedAccounts, getRolesIn } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getIntegration } from '@/lib/server/config/integration'
import { buildNotifySql } from '@/lib/server/store/notifications'
import { customerDeletions } from '@/lib/server/store/schema/desk'
import { people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'

export type Deletion = typeof customerDeletions.$inferSelect

const executors = alias(people, 'executors')

type DeletionWithNames = { deletion: Deletion; requestedBy: string; executedBy: string | null }

function toDeletionView(
  { deletion, requestedBy, executedBy }: DeletionWithNames,
  currentPersonId: string,
): DeletionView {
  return {
    id: deletion.id,
    environment: deletion.environment,
    account: formatAccountId(deletion.accountId),
    customer_id: deletion.customerId,
    state: deletion.state,
    ...splitGroundCodes(deletion.ground),
    identity_check: deletion.identityCheck,
    ticket: deletion.ticket,
    due_on: deletion.dueOn,
    requested_by: requestedBy,
    own: deletion.requestedBy === currentPersonId,
    created_at: deletion.createdAt.toISOString(),
    executed_by: executedBy,
    executed_at: deletion.executedAt?.toISOString() ?? null,
    certificate_hash: deletion.certificateHash,
  }
}

const selectDeletions = (db: Db) =>
  db
    .select({ deletion: customerDeletions, requestedBy: people.name, executedBy: executors.name })
    .from(customerDeletions)
    .innerJoin(people, eq(people.id, customerDeletions.requestedBy))
    .leftJoin(executors, eq(executors.id, customerDeletions.executedBy))

/** Selects the deletion requests in the accounts in which the person has a role. */
function buildVisibleCondition(actor: Actor, environment: Environment) {
  const grantedAccounts = getGrantedAccounts(actor.grants, environment)
  const accountsCondition =
    grantedAccounts === null
      ? undefined
      : grantedAccounts.length > 0
        ? inArray(customerDeletions.accountId, grantedAccounts)
        : sql`false`
  return and(eq(customerDeletions.environment, environment), accountsCondition)
}

export async function listCustomerDeletions(
  actor: Actor,
  environment: Environment,
  customerId: string,
): Promise<DeletionView[]> {
  const db = await getDatabase()
  const deletionRows = await selectDeletions(db)
    .where(
      and(buildVisibleCondition(actor, environment), eq(customerDeletions.customerId, customerId)),
    )
    .orderBy(desc(customerDeletions.createdAt))
    .limit(20)
  return deletionRows.map((row) => toDeletionView(row, actor.id))
}

/** `account` is an id without `acct_`; null means all accounts that the person may see. */
type DeletionsQuery = DeletionsFilter & { account: string | null }

const toConditionIfSet = <T>(
  value: T | null | undefined,
  condition: (value: T) => SQL | undefined,
): SQL | undefined =>
  value === null || value === undefined || value === '' ? undefined : condition(value)

/** If customers belong to the platform, their deletions do too, in the scope of every account. */
const toAccountCondition = (environment: Environment, account: string | null) =>
  getOwnerRule('customers', getIntegration(environment)) === 'platform'
    ? undefined
    : toConditionIfSet(account, (id) => eq(customerDeletions.accountId, id))

/** Ignores the filter's state, because the list also counts the other states. */
const toFilterCondition = (
  environment: Environment,
  { account, asker, created_from, created_to, due_from, due_to, search_text }: DeletionsQuery,
): SQL | undefined =>
  and(
    toAccountCondition(environment, account),
    toConditionIfSet(
      asker,
      (code) => sql`split_part(${customerDeletions.ground}, '/', 1) = ${code}`,
    ),
    toConditionIfSet(created_from, (at) => gte(customerDeletions.createdAt, new Date(at))),
    toConditionIfSet(created_to, (at) => lt(customerDeletions.createdAt, toExclusiveEnd(at))),
    toConditionIfSet(due_from, (day) => gte(customerDeletions.dueOn, day)),
    toConditionIfSet(due_to, (day) => lte(customerDeletions.dueOn, day)),
    toConditionIfSet(
      search_text?.toLowerCase(),
      (text) =>
        sql`strpos(lower(concat_ws(' ', ${customerDeletions.ticket}, ${customerDeletions.customerId})), ${text}) > 0`,
    ),
  )

/** When sorted by due date, requests without one come last, in both directions. */
const toOrderBy = ({ sort_by, sort_order }: DeletionsFilter): SQL[] => {
  const direction = sort_order === 'asc' ? asc : desc
  const dueDateOrder =
    sort_by === 'due_on'
      ? [
          sql`${customerDeletions.dueOn} is null`,
          direction(customerDeletions.dueOn),
          desc(customerDeletions.createdAt),
        ]
      : []
  return [...dueDateOrder, direction(customerDeletions.createdAt), asc(customerDeletions.id)]
}

/** `after` is the id of the last listed request. Use it only with ascending order by creation. */
export async function listDeletions(
  actor: Actor,
  environment: Environment,
  query: DeletionsQuery,
  after: string | null = null,
) {
  const { state, page_number: page, page_size: size } = query
  const db = await getDatabase()
  const listCondition = and(
    buildVisibleCondition(actor, environment),
    toFilterCondition(environment, query),
  )
  const [rows, stateCounts] = await Promise.all([
    selectDeletions(db)
      .where(
        and(
          listCondition,
          toConditionIfSet(state, (word) => eq(customerDeletions.state, word)),
          toConditionIfSet(
            after,
            (id) =>
              sql`(${customerDeletions.createdAt}, ${customerDeletions.id}) > (select created_at, id from ${customerDeletions} where id = ${id})`,
          ),
        ),
      )
      .orderBy(...toOrderBy(query))
      .limit(size)
      .offset((page - 1) * size),
    db
      .select({ state: customerDeletions.state, rows: count() })
      .from(customerDeletions)
      .where(listCondition)
      .groupBy(customerDeletions.state),
  ])
  const countByState = Object.fromEntries(
    stateCounts.map((each) => [each.state, each.rows]),
  ) as Partial<Record<Deletion['state'], number>>
  return { deletions: rows.map((row) => toDeletionView(row, actor.id)), counts: countByState }
}

/** Null if the id is unknown or the person may not see the request. */
export async function findDeletion(
  actor: Actor,
  id: string,
): Promise<{
  view: DeletionView
  certificate: DeletionCertificate | null
  deletion: Deletion
} | null> {
  const db = await getDatabase()
  const [row] = await selectDeletions(db).where(eq(customerDeletions.id, id))
  if (
    !row ||
    getRolesIn(actor.grants, row.deletion.environment, row.deletion.accountId).length === 0
  )
    return null
  return {
    view: toDeletionView(row, actor.id),
    certificate: (row.deletion.certificate as DeletionCertificate | null) ?? null,
    deletion: row.deletion,
  }
}

export async function findOpenDeletion(
  db: Db,
  environment: Environment,
  customerId: string,
): Promise<Deletion | null> {
  const [row] = await db
    .select()
    .from(customerDeletions)
    .where(
      and(
        eq(customerDeletions.environment, environment),
        eq(customerDeletions.customerId, customerId),
        eq(customerDeletions.state, 'requested'),
      ),
    )
  return row ?? null
}

/** Notifies all instances of Paydesk when the transaction commits. */
export async function notifyDeletionChanged(
  tx: Db,
  {
    id,
    environment,
    accountId,
    customerId,
  }: Pick<Deletion, 'id' | 'environment' | 'accountId' | 'customerId'>,
): Promise<void> {
  const changedIds = [id, customerId]
  await tx.execute(
    buildNotifySql({
      about: 'rows',
      environment,
      resource: 'deletions',
      account: accountId,
      ids: changedIds,
      shown_by: null,
    }),
  )
}
