import 'server-only'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { openActionStates } from '@/lib/operations/answer'
import type { DeletionBlocker } from '@/lib/operations/deletion'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import type { RecordResource } from '@/lib/routes'
import { readCoolingOffHours } from '@/lib/server/approvals/policy'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { actions } from '@/lib/server/store/schema/actions'
import { customerDeletions } from '@/lib/server/store/schema/desk'
import { getDatabase } from '@/lib/server/store/store'

/** Maximum number of links in a blocker. Its `count` includes the objects without a link. */
export const maxBlockerLinks = 10

export const formatCountPhrase = (total: number, singular: string, plural: string) =>
  total === 1 ? `1 ${singular}` : `${total.toLocaleString('en-US')} ${plural}`

/**
 * Open actions on `targets` block the deletion, except the deletion's own action (`deletionKey`).
 */
export async function findActionBlockers(
  scope: ScopedAccount,
  targets: readonly string[],
  deletionKey: string | null,
): Promise<DeletionBlocker[]> {
  const db = await getDatabase()
  const openActions = await db
    .select({ operation: actions.operation, target: actions.target, key: actions.idempotencyKey })
    .from(actions)
    .where(
      and(
        eq(actions.environment, scope.environment),
        inArray(actions.target, [...targets]),
        inArray(actions.state, ['awaiting_approval', ...openActionStates]),
      ),
    )
  const blockingActions = openActions.filter(({ key }) => key !== deletionKey)
  const runningDeletions = blockingActions.filter(
    ({ operation }) => operation === 'customers.delete',
  )
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
    const actionLinks = otherActions.slice(0, maxBlockerLinks).map(({ operation, target }) => {
      const [resource = '', id = ''] = target?.split('/') ?? []
      return {
        resource: resource as RecordResource,
        id,
        label: getServiceOperation(operation as ServiceOperationId).verbPhrase,
      }
    })
    const blockerText = `${formatCountPhrase(otherActions.length, 'action on it or on what belongs to it is', 'actions on it or on what belongs to it are')} still in progress.`
    blockers.push({
      id: 'open_actions',
      text: blockerText,
      count: otherActions.length,
      links: actionLinks,
    })
  }
  return blockers
}

/**
 * Returns a blocker while the cooling-off period of the approval policy is running. It begins with
 * the deletion request and leaves time to withdraw a mistaken or unauthorized one.
 */
export async function findCoolingOffBlocker(
  { environment, caller }: ScopedAccount,
  customerId: string,
): Promise<DeletionBlocker[]> {
  const db = await getDatabase()
  const coolingOffHours = await readCoolingOffHours(db, caller.person, environment)
  const [coolingDeletion] = await db
    .select({
      until: sql<string>`to_char((${customerDeletions.createdAt} + make_interval(hours => ${coolingOffHours})) at time zone 'utc', 'YYYY-MM-DD HH24:MI')`,
    })
    .from(customerDeletions)
    .where(
      and(
        eq(customerDeletions.environment, environment),
        eq(customerDeletions.customerId, customerId),
        eq(customerDeletions.state, 'requested'),
        sql`${customerDeletions.createdAt} + make_interval(hours => ${coolingOffHours}) > now()`,
      ),
    )
  if (!coolingDeletion) return []
  const coolingOffText = `The approval policy asks for ${formatCountPhrase(coolingOffHours, 'hour', 'hours')} between the request and the deletion: possible from ${coolingDeletion.until} UTC.`
  return [{ id: 'cooling_off', text: coolingOffText, count: 1, links: [] }]
}
