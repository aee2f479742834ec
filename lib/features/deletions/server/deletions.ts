import 'server-only'
import canonicalize from 'canonicalize'
import { and, asc, count, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import {
  retainedDataLines,
  splitGroundCodes,
  uncheckableDataLines,
} from '@/lib/features/deletions/labels'
import type { Environment } from '@/lib/operations/define'
import type {
  DeletionCertificate,
  DeletionsFilter,
  DeletionView,
  PurgedCounts,
} from '@/lib/operations/deletion'
import type { Action } from '@/lib/server/actions/action-log'
import { listAttempts } from '@/lib/server/actions/complete-action'
import { formatAccountId, getGrantedAccounts, getRolesIn } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { sha256, toPseudonym } from '@/lib/server/store/hashes'
import { buildNotifySql } from '@/lib/server/store/notifications'
import { audit } from '@/lib/server/store/schema/audit'
import { deletions } from '@/lib/server/store/schema/desk'
import { people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'

export type Deletion = typeof deletions.$inferSelect

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
    .select({ deletion: deletions, requestedBy: people.name, executedBy: executors.name })
    .from(deletions)
    .innerJoin(people, eq(people.id, deletions.requestedBy))
    .leftJoin(executors, eq(executors.id, deletions.executedBy))

/** SQL condition: the deletion requests in the accounts in which the person has a role. */
function buildVisibleCondition(actor: Actor, environment: Environment) {
  const grantedAccounts = getGrantedAccounts(actor.grants, environment)
  const accountsCondition =
    grantedAccounts === null
      ? undefined
      : grantedAccounts.length > 0
        ? inArray(deletions.accountId, grantedAccounts)
        : sql`false`
  return and(eq(deletions.environment, environment), accountsCondition)
}

/**
 * Returns the deletion requests for one customer that the person may see, newest first, at most 20.
 */
export async function listCustomerDeletions(
  actor: Actor,
  environment: Environment,
  customerId: string,
): Promise<DeletionView[]> {
  const db = await getDatabase()
  const rows = await selectDeletions(db)
    .where(and(buildVisibleCondition(actor, environment), eq(deletions.customerId, customerId)))
    .orderBy(desc(deletions.createdAt))
    .limit(20)
  return rows.map((row) => toDeletionView(row, actor.id))
}

/**
 * The filters of a list of deletion requests. `account` is an id without `acct_`; null means all
 * accounts that the person may see.
 */
type DeletionsQuery = DeletionsFilter & { account: string | null }

const toConditionIfSet = <T>(
  value: T | null | undefined,
  condition: (value: T) => SQL | undefined,
): SQL | undefined =>
  value === null || value === undefined || value === '' ? undefined : condition(value)

/**
 * SQL condition: the deletion requests that match a filter. The filter's state is ignored, because
 * the list also counts the other states.
 */
const toFilterCondition = ({
  account,
  asker,
  created_from,
  created_to,
  due_from,
  due_to,
  search_text,
}: DeletionsQuery): SQL | undefined =>
  and(
    toConditionIfSet(account, (id) => eq(deletions.accountId, id)),
    toConditionIfSet(asker, (code) => sql`split_part(${deletions.ground}, '/', 1) = ${code}`),
    toConditionIfSet(created_from, (at) => gte(deletions.createdAt, new Date(at))),
    toConditionIfSet(created_to, (at) => lte(deletions.createdAt, new Date(at))),
    toConditionIfSet(due_from, (day) => gte(deletions.dueOn, day)),
    toConditionIfSet(due_to, (day) => lte(deletions.dueOn, day)),
    toConditionIfSet(
      search_text?.toLowerCase(),
      (text) =>
        sql`strpos(lower(concat_ws(' ', ${deletions.ticket}, ${deletions.customerId})), ${text}) > 0`,
    ),
  )

/**
 * Returns the sort order. When requests are sorted by due date, those without one come last, in
 * both directions.
 */
const toOrderBy = ({ sort_by, sort_order }: DeletionsFilter): SQL[] => {
  const direction = sort_order === 'asc' ? asc : desc
  const dueDateOrder =
    sort_by === 'due_on'
      ? [sql`${deletions.dueOn} is null`, direction(deletions.dueOn), desc(deletions.createdAt)]
      : []
  return [...dueDateOrder, direction(deletions.createdAt), asc(deletions.id)]
}

/**
 * Returns one page of the deletion requests that a person may see, and the number of requests in
 * each state under the same filter. `after` is the id of a request: the page then has only requests
 * that were created after it. Use it only with ascending order by creation.
 */
export async function listDeletions(
  actor: Actor,
  environment: Environment,
  query: DeletionsQuery,
  after: string | null = null,
) {
  const { state, page_number: page, page_size: size } = query
  const db = await getDatabase()
  const listCondition = and(buildVisibleCondition(actor, environment), toFilterCondition(query))
  const [rows, stateCounts] = await Promise.all([
    selectDeletions(db)
      .where(
        and(
          listCondition,
          toConditionIfSet(state, (word) => eq(deletions.state, word)),
          toConditionIfSet(
            after,
            (id) =>
              sql`(${deletions.createdAt}, ${deletions.id}) > (select created_at, id from ${deletions} where id = ${id})`,
          ),
        ),
      )
      .orderBy(...toOrderBy(query))
      .limit(size)
      .offset((page - 1) * size),
    db
      .select({ state: deletions.state, rows: count() })
      .from(deletions)
      .where(listCondition)
      .groupBy(deletions.state),
  ])
  const counts = Object.fromEntries(stateCounts.map((each) => [each.state, each.rows])) as Partial<
    Record<Deletion['state'], number>
  >
  return { deletions: rows.map((row) => toDeletionView(row, actor.id)), counts }
}

/**
 * Returns one deletion request, with its certificate if there is one. Null if the id is unknown or
 * the person may not see the request.
 */
export async function findDeletion(
  actor: Actor,
  id: string,
): Promise<{
  view: DeletionView
  certificate: DeletionCertificate | null
  deletion: Deletion
} | null> {
  const db = await getDatabase()
  const [row] = await selectDeletions(db).where(eq(deletions.id, id))
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

/** Returns the open deletion request for a customer; null if there is none. */
export async function findOpenDeletion(
  db: Db,
  environment: Environment,
  customerId: string,
): Promise<Deletion | null> {
  const [row] = await db
    .select()
    .from(deletions)
    .where(
      and(
        eq(deletions.environment, environment),
        eq(deletions.customerId, customerId),
        eq(deletions.state, 'requested'),
      ),
    )
  return row ?? null
}

/**
 * Notifies all instances of Paydesk, when the transaction commits, that a deletion request was
 * created or has ended.
 */
export async function notifyDeletionChanged(
  tx: Db,
  {
    id,
    environment,
    accountId,
    customerId,
  }: Pick<Deletion, 'id' | 'environment' | 'accountId' | 'customerId'>,
): Promise<void> {
  const ids = [id, customerId]
  await tx.execute(
    buildNotifySql({
      about: 'rows',
      environment,
      resource: 'deletions',
      account: accountId,
      ids,
      shown_by: null,
    }),
  )
}

/** Returns the hash of a certificate: SHA-256 over its canonical JSON (RFC 8785), in hex. */
export const hashCertificate = (certificate: DeletionCertificate): string =>
  sha256(canonicalize(certificate) ?? '')

/**
 * Returns the customer's pseudonym in the certificate. It is a keyed hash: computing it again takes
 * the customer's id and Paydesk's secret.
 */
export const toSubjectPseudonym = ({
  environment,
  customerId,
}: Pick<Deletion, 'environment' | 'customerId'>): string =>
  toPseudonym(`deletion/${environment}/customers/${customerId}`)

/**
 * Returns the number and the hash of the audit row that records the deletion. Throws if there is no
 * such row.
 */
async function findAuditPosition(tx: Db, actionId: string): Promise<DeletionCertificate['audit']> {
  const auditCondition = sql`${audit.body}::jsonb ->> 'action' = ${actionId} and ${audit.body}::jsonb ->> 'code' in ('customers.delete.applied', 'customers.delete.decided')`
  const [link] = await tx
    .select({ seq: audit.seq, hash: audit.hash })
    .from(audit)
    .where(auditCondition)
    .orderBy(desc(audit.seq))
    .limit(1)
  if (!link) throw new Error('the audit chain does not say that the deletion happened')
  return { seq: Number(link.seq), hash: link.hash }
}

async function loadPersonLookup(
  tx: Db,
  ids: readonly string[],
): Promise<(id: string) => { id: string; name: string }> {
  const rows = await tx
    .select({ id: people.id, name: people.name })
    .from(people)
    .where(inArray(people.id, [...ids]))
  return (id) => ({ id, name: rows.find((row) => row.id === id)?.name ?? '' })
}

function getConfirmationSource(action: Action): DeletionCertificate['provider']['proof'] {
  if (action.decision) return 'decided by a person'
  return action.replayed ? 'replayed answer' : 'answer'
}

/**
 * Returns the id of the person who carried a deletion out: the approver, or the requester if no
 * approval was needed.
 */
export const getExecutorId = ({ actorId, approval }: Action): string => approval?.by ?? actorId

/**
 * Returns the certificate of a deletion that the service carried out and whose data Paydesk has
 * purged. `tx` is the transaction that stores the certificate.
 */
export async function createCertificate(
  tx: Db,
  deletion: Deletion,
  action: Action,
  purged: PurgedCounts,
): Promise<DeletionCertificate> {
  const now = sql<string>`to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const [clockRow] = await tx.select({ now }).from(people).limit(1)
  const attempts = await listAttempts(tx, action.id)
  const getPerson = await loadPersonLookup(tx, [deletion.requestedBy, getExecutorId(action)])
  const auditPosition = await findAuditPosition(tx, action.id)
  const sentAt = attempts[0]?.startedAt ?? action.createdAt
  return {
    format: 'paydesk-deletion-1',
    id: deletion.id,
    environment: deletion.environment,
    account: formatAccountId(deletion.accountId),
    subject: toSubjectPseudonym(deletion),
    ground: {
      ...splitGroundCodes(deletion.ground),
      identity_check: deletion.identityCheck,
      ticket: deletion.ticket,
      due_on: deletion.dueOn,
    },
    scope:
      'The customer at the payments service, with its identity data, review and bank account links, and all data Paydesk held about the person.',
    times: {
      requested: deletion.createdAt.toISOString(),
      sent: sentAt.toISOString(),
      confirmed: (action.settledAt ?? action.createdAt).toISOString(),
      purged: clockRow?.now ?? new Date().toISOString(),
    },
    people: {
      requested: getPerson(deletion.requestedBy),
      executed: getPerson(getExecutorId(action)),
    },
    provider: {
      operation: action.operation,
      action: action.id,
      idempotency_key: action.idempotencyKey,
      proof: getConfirmationSource(action),
      attempts: attempts.map((attempt) => ({
        request_id: attempt.requestId,
        api_request_id: attempt.apiRequestId,
        status: attempt.status,
        at: attempt.startedAt.toISOString(),
      })),
    },
    impact: (deletion.impact as DeletionCertificate['impact']) ?? null,
    purged,
    stays: [...retainedDataLines],
    unknown: [...uncheckableDataLines],
    audit: auditPosition,
  }
}
