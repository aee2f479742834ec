import 'server-only'
import { listOpenActions } from '@/lib/features/activity/server/operations'
import type { QueueId } from '@/lib/features/home/labels'
import {
  type HeldTotals,
  type QueueReadResult,
  type QueueRow,
  rowsPerQueue,
} from '@/lib/features/home/queues'
import type { ActionView } from '@/lib/operations/answer'
import type { PageContext } from '@/lib/operations/page-context'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { activityPath, targetPath } from '@/lib/routes'
import { listTargetsAwaitingApproval } from '@/lib/server/actions/waiting-views'
import { getCurrentActor } from '@/lib/server/auth/session'
import { readAccountsGroup, readCapabilityRequestsGroup } from './queue-accounts'
import { readApprovalsGroup } from './queue-approvals'
import {
  readHeldPayments,
  readReturnedPaymentsGroup,
  sumHeldPayments,
  toHeldGroup,
} from './queue-payments'
import { catchReadError, findOldestTime } from './queue-read'
import { readCustomersGroup, readPaykeyGroup } from './queue-reviews'

const actionStateTexts: Partial<Record<ActionView['state'], string>> = {
  sending: 'In progress for more than a minute',
  unknown: 'Outcome unknown, checking under the same key',
  needs_human: 'Outcome needs a decision',
}

const toActionHref = (context: PageContext, action: ActionView): string =>
  targetPath(context, action.target, { account: context.account ?? action.account }) ??
  activityPath(context, { tab: 'unknown' })

const toActionRow = (context: PageContext, action: ActionView): QueueRow => ({
  key: `actions/${action.id}`,
  href: toActionHref(context, action),
  title: getServiceOperation(action.operation).verbPhrase.replace(/^./, (first) =>
    first.toUpperCase(),
  ),
  ...(action.target ? { tail: `…${action.target.slice(-6)}` } : {}),
  line: `${actionStateTexts[action.state] ?? action.state} · by ${action.own ? 'you' : action.actor}`,
  since: action.created_at,
  account: context.account === null ? action.account : undefined,
})

/** Reads only Paydesk's own database, not the service. */
async function readUnknownOutcomesGroup(context: PageContext): Promise<QueueReadResult> {
  const actor = await getCurrentActor()
  const openActions = actor ? await listOpenActions(context.environment, actor) : []
  const scopedActions =
    context.account === null
      ? openActions
      : openActions.filter(({ account }) => account === context.account)
  return {
    ok: true,
    group: {
      ...{
        id: 'outcomes',
        total: scopedActions.length,
        atLeast: false,
        readAt: new Date().toISOString(),
      },
      rows: scopedActions.slice(0, rowsPerQueue).map((action) => toActionRow(context, action)),
      oldest: findOldestTime(scopedActions.map((action) => action.created_at)),
      href: activityPath(context, { tab: 'unknown' }),
    },
  }
}

/** `held`: the totals of all held payments; null if they could not be read. */
type HomeQueues = {
  reads: Readonly<Record<QueueId, QueueReadResult>>
  held: HeldTotals | null
  /** ISO time of the last read of payments. Other data changes and is read less often. */
  readAt: string
}

/** A queue that could not be read has an error in its place. */
export async function readQueues(context: PageContext, now: number): Promise<HomeQueues> {
  const heldPaymentsPromise = catchReadError(() => readHeldPayments(context))
  const queueReaders: Record<QueueId, () => Promise<QueueReadResult>> = {
    outcomes: () => readUnknownOutcomesGroup(context),
    approvals: () => readApprovalsGroup(context),
    payouts_held: async () => toHeldGroup(context, await heldPaymentsPromise, 'payout', now),
    charges_held: async () => toHeldGroup(context, await heldPaymentsPromise, 'charge', now),
    paykeys_review: () => readPaykeyGroup(context, 'paykeys_review', heldPaymentsPromise),
    customers_review: () => readCustomersGroup(context),
    paykeys_unblockable: () => readPaykeyGroup(context, 'paykeys_unblockable', heldPaymentsPromise),
    returned: () => readReturnedPaymentsGroup(context, now),
    accounts_created: () => readAccountsGroup(context, 'created'),
    capability_requests: () => readCapabilityRequestsGroup(context),
    accounts_onboarding: () => readAccountsGroup(context, 'onboarding'),
  }
  const queueReadResults = await Promise.all(
    Object.entries(queueReaders).map(
      async ([id, read]) => [id, await catchReadError(read)] as const,
    ),
  )
  const reads = Object.fromEntries(queueReadResults) as HomeQueues['reads']
  const heldPaymentsResult = await heldPaymentsPromise
  const readAt = heldPaymentsResult.ok ? heldPaymentsResult.readAt : new Date(now).toISOString()
  return {
    reads: await markAwaitingRows(context, reads),
    held: sumHeldPayments(heldPaymentsResult),
    readAt,
  }
}

/** A row's key is its target, except for payments: `payout/<uuid>`. */
const toRowTarget = ({ key }: QueueRow): string => key.replace(/^(payout|charge)\//, '$1s/')

async function markAwaitingRows(
  { environment }: PageContext,
  reads: HomeQueues['reads'],
): Promise<HomeQueues['reads']> {
  const rows = Object.values(reads).flatMap((read) => (read.ok ? read.group.rows : []))
  const awaitingTargets = await listTargetsAwaitingApproval(environment, rows.map(toRowTarget))
  const markRow = (row: QueueRow): QueueRow =>
    awaitingTargets.has(toRowTarget(row)) ? { ...row, awaitsApproval: true } : row
  const markedReads = Object.entries(reads).map(([id, read]) => [
    id,
    read.ok ? { ...read, group: { ...read.group, rows: read.group.rows.map(markRow) } } : read,
  ])
  return Object.fromEntries(markedReads) as HomeQueues['reads']
}
