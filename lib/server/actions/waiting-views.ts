import 'server-only'
import { and, asc, desc, eq, inArray, isNotNull, not, or, sql } from 'drizzle-orm'
import type { ActionView } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { formatAccountId } from '@/lib/server/auth/scoped-account'
import { actions } from '@/lib/server/store/schema/actions'
import { getDatabase } from '@/lib/server/store/store'
import type { Action } from './action-log'
import { selectActions, toActionViews } from './views'

const maxApprovalRequests = 200

/**
 * `waiting` requests come with the next to expire first, `answered` ones newest first. Null
 * `accounts` means all.
 */
export async function listRequestViews(
  environment: Environment,
  accounts: readonly string[] | null,
  readerId: string,
  which: 'waiting' | 'answered',
): Promise<{ action: Action; view: ActionView }[]> {
  if (accounts?.length === 0) return []
  const db = await getDatabase()
  const waitingCondition = eq(actions.state, 'awaiting_approval')
  const rows = await selectActions(db)
    .where(
      and(
        eq(actions.environment, environment),
        which === 'waiting'
          ? waitingCondition
          : and(isNotNull(actions.expiresAt), not(waitingCondition)),
        accounts ? inArray(actions.accountId, [...accounts]) : undefined,
      ),
    )
    .orderBy(which === 'waiting' ? asc(actions.expiresAt) : desc(actions.createdAt))
    .limit(maxApprovalRequests)
  const requestViews = await toActionViews(db, rows, readerId)
  return rows.flatMap(({ action }, at) =>
    requestViews[at] ? [{ action, view: requestViews[at] }] : [],
  )
}

/** Returns those of the targets (`payouts/<uuid>`) on which an action awaits approval. */
export async function listTargetsAwaitingApproval(
  environment: Environment,
  targets: readonly string[],
): Promise<ReadonlySet<string>> {
  if (targets.length === 0) return new Set()
  const db = await getDatabase()
  const waitingRows = await db
    .select({ target: actions.target })
    .from(actions)
    .where(
      and(
        eq(actions.environment, environment),
        eq(actions.state, 'awaiting_approval'),
        inArray(actions.target, [...targets]),
      ),
    )
  return new Set(waitingRows.flatMap(({ target }) => target ?? []))
}

/** Returns those of the accounts (`acct_…`) for which a request of other limits awaits approval. */
export async function listAccountsAwaitingLimits(
  environment: Environment,
): Promise<ReadonlySet<string>> {
  const db = await getDatabase()
  const waitingRows = await db
    .select({ accountId: actions.accountId })
    .from(actions)
    .where(
      and(
        eq(actions.environment, environment),
        eq(actions.state, 'awaiting_approval'),
        eq(actions.operation, 'capability_requests.create'),
      ),
    )
  return new Set(waitingRows.flatMap(({ accountId }) => formatAccountId(accountId) ?? []))
}

/** The most actions in the list. The oldest come first, so none stays hidden permanently. */
const maxOpenActions = 200

/**
 * Oldest first, without proofs of authorization, which only the page of a record shows. Null
 * `accounts` means all.
 */
export async function listOpenActionViews(
  environment: Environment,
  accounts: readonly string[] | null,
  readerId: string,
): Promise<ActionView[]> {
  if (accounts?.length === 0) return []
  const db = await getDatabase()
  const stuckCondition = and(
    eq(actions.state, 'sending'),
    sql`${actions.createdAt} < now() - interval '1 minute'`,
  )
  const rows = await selectActions(db)
    .where(
      and(
        eq(actions.environment, environment),
        or(inArray(actions.state, ['unknown', 'needs_human']), stuckCondition),
        accounts ? inArray(actions.accountId, [...accounts]) : undefined,
      ),
    )
    .orderBy(asc(actions.createdAt))
    .limit(maxOpenActions)
  const rowsWithoutProof = rows.map((row) => ({ ...row, action: { ...row.action, proof: null } }))
  return toActionViews(db, rowsWithoutProof, readerId)
}
