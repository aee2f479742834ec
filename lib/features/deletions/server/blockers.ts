import 'server-only'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { openStates } from '@/lib/operations/answer'
import type { DeletionBlocker } from '@/lib/operations/deletion'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import type { RecordResource } from '@/lib/routes'
import { readCoolingOffHours } from '@/lib/server/approvals/policy'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { actions } from '@/lib/server/store/schema/actions'
import { deletions } from '@/lib/server/store/schema/desk'
import { database } from '@/lib/server/store/store'

/** Maximum number of links in a blocker. Its `count` includes the objects without a link. */
export const maxLinks = 10

export const formatTotal = (total: number, one: string, more: string) =>
  total === 1 ? `1 ${one}` : `${total.toLocaleString('en-US')} ${more}`

/** Returns blockers for open actions on the customer or their objects, with those awaiting approval. `except`: the deletion's own key. */
export async function findActionBlockers(
  scope: ScopedAccount,
  targets: readonly string[],
  except: string | null,
): Promise<DeletionBlocker[]> {
  const db = await database()
  const openActions = await db
    .select({ operation: actions.operation, target: actions.target, key: actions.idempotencyKey })
    .from(actions)
    .where(
      and(
        eq(actions.environment, scope.environment),
        inArray(actions.target, [...targets]),
        inArray(actions.state, ['awaiting_approval', ...openStates]),
      ),
    )
  const blockingActions = openActions.filter(({ key }) => key !== except)
  const runningDeletions = blockingActions.filter(({ operation }) => operation === 'customers.delete')
  const otherActions = blockingActions.filter(({ operation }) => operation !== 'customers.delete')
  const blockers: DeletionBlocker[] = []
  if (runningDeletions.length > 0) {
    blockers.push({
      id: 'deletion_running',
      text: 'A deletion of this customer was sent and is still in progress.',
      count: runningDeletions.length,
      links: [],
    })
  }
  if (otherActions.length > 0) {
    const links = otherActions.slice(0, maxLinks).map(({ operation, target }) => {
      const [resource = '', id = ''] = target?.split('/') ?? []
      return { resource: resource as RecordResource, id, label: serviceOperation(operation as ServiceOperationId).verbPhrase }
    })
    const text = `${formatTotal(otherActions.length, 'action on it or on what belongs to it is', 'actions on it or on what belongs to it are')} still in progress.`
    blockers.push({ id: 'open_actions', text, count: otherActions.length, links })
  }
  return blockers
}

/**
 * Returns a blocker until the policy's cooling-off period after the deletion request has ended. Until then, a mistaken or unauthorized
 * request can be withdrawn.
 */
export async function findCoolingOffBlocker({ environment, caller }: ScopedAccount, customerId: string): Promise<DeletionBlocker[]> {
  const db = await database()
  const hours = await readCoolingOffHours(db, caller.person, environment)
  const [coolingDeletion] = await db
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
  if (!coolingDeletion) return []
  const text = `The approval policy asks for ${formatTotal(hours, 'hour', 'hours')} between the request and the deletion: possible from ${coolingDeletion.until} UTC.`
  return [{ id: 'cooling_off', text, count: 1, links: [] }]
}
