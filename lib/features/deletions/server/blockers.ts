import 'server-only'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { openStates } from '@/lib/operations/answer'
import type { DeletionBlocker } from '@/lib/operations/deletion'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import type { RecordResource } from '@/lib/routes'
import { coolingOffHours } from '@/lib/server/approvals/policy'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { actions } from '@/lib/server/store/schema/actions'
import { deletions } from '@/lib/server/store/schema/desk'
import { database } from '@/lib/server/store/store'

/** Maximum number of links in a blocker. Its `count` includes the objects without a link. */
export const mostLinks = 10

export const countText = (total: number, one: string, more: string) =>
  total === 1 ? `1 ${one}` : `${total.toLocaleString('en-US')} ${more}`

/** Returns blockers for open actions on the customer or their objects, with those awaiting approval. `except`: the deletion's own key. */
export async function actionBlockers(scope: ScopedAccount, targets: readonly string[], except: string | null): Promise<DeletionBlocker[]> {
  const db = await database()
  const open = await db
    .select({ operation: actions.operation, target: actions.target, key: actions.idempotencyKey })
    .from(actions)
    .where(
      and(
        eq(actions.environment, scope.environment),
        inArray(actions.target, [...targets]),
        inArray(actions.state, ['awaiting_approval', ...openStates]),
      ),
    )
  const blockingActions = open.filter(({ key }) => key !== except)
  const running = blockingActions.filter(({ operation }) => operation === 'customers.delete')
  const otherActions = blockingActions.filter(({ operation }) => operation !== 'customers.delete')
  const blockers: DeletionBlocker[] = []
  if (running.length > 0) {
    blockers.push({
      id: 'deletion_running',
      text: 'A deletion of this customer was sent and is still in progress.',
      count: running.length,
      links: [],
    })
  }
  if (otherActions.length > 0) {
    const links = otherActions.slice(0, mostLinks).map(({ operation, target }) => {
      const [resource = '', id = ''] = target?.split('/') ?? []
      return { resource: resource as RecordResource, id, label: serviceOperation(operation as ServiceOperationId).verbPhrase }
    })
    const text = `${countText(otherActions.length, 'action on it or on what belongs to it is', 'actions on it or on what belongs to it are')} still in progress.`
    blockers.push({ id: 'open_actions', text, count: otherActions.length, links })
  }
  return blockers
}

/**
 * Returns a blocker until the policy's cooling-off period after the deletion request has ended. Until then, a mistaken or unauthorized
 * request can be withdrawn.
 */
export async function coolingOffBlocker({ environment, caller }: ScopedAccount, customerId: string): Promise<DeletionBlocker[]> {
  const db = await database()
  const hours = await coolingOffHours(db, caller.person, environment)
  const [waiting] = await db
    .select({
      until: sql<string>`to_char((${deletions.createdAt} + make_interval(hours => ${hours})) at time zone 'utc', 'YYYY-MM-DD HH24:MI')`,
    })
    .from(deletions)
    .where(
      and(
        eq(deletions.environment, environment),
        eq(deletions.customerId, customerId),
        eq(deletions.state, 'requested'),
        sql`${deletions.createdAt} + make_interval(hours => ${hours}) > now()`,
      ),
    )
  if (!waiting) return []
  const text = `The approval policy asks for ${countText(hours, 'hour', 'hours')} between the request and the deletion: possible from ${waiting.until} UTC.`
  return [{ id: 'cooling_off', text, count: 1, links: [] }]
}
