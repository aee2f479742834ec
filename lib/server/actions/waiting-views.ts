import 'server-only'
import { and, asc, desc, eq, inArray, isNotNull, not, or, sql } from 'drizzle-orm'
import type { ActionView } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { actions } from '@/lib/server/store/schema/actions'
import { getDatabase } from '@/lib/server/store/store'
import type { Action } from './action-log'
import { selectActions, toActionViews } from './views'

const maxRequests = 200

/**
 * Returns approval requests of an environment. `waiting`: those that wait for approval, next to
 * expire first. `answered`: those that are decided, withdrawn or expired, newest first. `accounts`
 * limits the requests to these accounts; null means all.
 */
export async function listRequestViews(
  environment: Environment,
  accounts: readonly string[] | null,
  readerId: string,
  which: 'waiting' | 'answered',
): Promise<{ action: Action; view: ActionView }[]> {
  if (accounts?.length === 0) return []
  const db = await getDatabase()
  const isWaiting = eq(actions.state, 'awaiting_approval')
  const rows = await selectActions(db)
    .where(
      and(
        eq(actions.environment, environment),
        which === 'waiting' ? isWaiting : and(isNotNull(actions.expiresAt), not(isWaiting)),
        accounts ? inArray(actions.accountId, [...accounts]) : undefined,
      ),
    )
    .orderBy(which === 'waiting' ? asc(actions.expiresAt) : desc(actions.createdAt))
    .limit(maxRequests)
  const views = await toActionViews(db, rows, readerId)
  return rows.flatMap(({ action }, at) => (views[at] ? [{ action, view: views[at] }] : []))
}

/**
 * Maximum open actions returned at once. The oldest come first, so none stays hidden permanently.
 */
const maxOpenActions = 200

/**
 * Returns the open actions of an environment, oldest first. Leaves out the proofs of authorization,
 * which only the page of a record shows. `accounts` limits the actions to these accounts; null
 * means all. An action in `sending` is included once it is a minute old.
 */
export async function listOpenActionViews(
  environment: Environment,
  accounts: readonly string[] | null,
  readerId: string,
): Promise<ActionView[]> {
  if (accounts?.length === 0) return []
  const db = await getDatabase()
  const isStuck = and(
    eq(actions.state, 'sending'),
    sql`${actions.createdAt} < now() - interval '1 minute'`,
  )
  const rows = await selectActions(db)
    .where(
      and(
        eq(actions.environment, environment),
        or(inArray(actions.state, ['unknown', 'needs_human']), isStuck),
        accounts ? inArray(actions.accountId, [...accounts]) : undefined,
      ),
    )
    .orderBy(asc(actions.createdAt))
    .limit(maxOpenActions)
  const rowsWithoutProof = rows.map((row) => ({ ...row, action: { ...row.action, proof: null } }))
  return toActionViews(db, rowsWithoutProof, readerId)
}
