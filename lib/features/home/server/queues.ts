import 'server-only'
import { listOpenActions } from '@/lib/features/activity/server/operations'
import { listApprovalRequests } from '@/lib/features/approvals/server/requests'
import { listDeletions } from '@/lib/features/deletions/server/deletions'
import { type QueueId, queueLabels } from '@/lib/features/home/labels'
import {
  type HeldTotals,
  type QueueReadResult,
  type QueueRow,
  rowsPerQueue,
} from '@/lib/features/home/queues'
import { countInAppNotifications } from '@/lib/features/notifications/server/in-app'
import type { ActionView } from '@/lib/operations/answer'
import { type Environment, evidenceRoles, type Role } from '@/lib/operations/define'
import { deletionsFilter } from '@/lib/operations/deletion'
import type { PageContext } from '@/lib/operations/page-context'
import type { Input } from '@/lib/operations/registry'
import { getServiceOperation, type MirrorListId } from '@/lib/operations/service-operations'
import type { QueueCounts, QueueKind } from '@/lib/pages'
import { activityPath, targetPath } from '@/lib/routes'
import {
  formatAccountId,
  getGrantedAccounts,
  getRolesIn,
  parseAccountId,
} from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getErrorCode } from '@/lib/server/error-code'
import { authorizeCall } from '@/lib/server/http/authorize'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { parseInput } from '@/lib/server/http/input'
import { readMirrorState } from '@/lib/server/http/mirror-state'
import { readMirrorList } from '@/lib/server/http/operation-reads'
import { log } from '@/lib/server/log'
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
  const heldPaymentsResult = await heldPaymentsPromise
  const readAt = heldPaymentsResult.ok ? heldPaymentsResult.readAt : new Date(now).toISOString()
  return {
    reads: Object.fromEntries(queueReadResults) as HomeQueues['reads'],
    held: sumHeldPayments(heldPaymentsResult),
    readAt,
  }
}

/** If the person has not chosen an account yet, returns the roles in any account. */
export async function loadPageRoles(context: PageContext): Promise<readonly Role[]> {
  if (!context.needsAccount) return context.person.roles
  const actor = await getCurrentActor()
  const environmentGrants =
    actor?.grants.filter(({ environment }) => environment === context.environment) ?? []
  return [...new Set(environmentGrants.map(({ role }) => role))]
}

/** `accounts`: ids without `acct_`; null is the whole platform. */
type CountScope = { actor: Actor; environment: Environment; accounts: readonly (string | null)[] }

const createRowCounter = <K extends MirrorListId>(operation: K, input: Input<K>) => {
  return async ({ actor, environment, accounts }: CountScope): Promise<number> => {
    const listInput = { ...input, page_size: 1 }
    const accountCounts = await Promise.all(
      accounts.map(async (accountId) => {
        const account = accountId && formatAccountId(accountId)
        const scope = await authorizeCall(actor, {
          environment,
          operation,
          account,
          target: null,
          fields: async () => listInput,
        })
        return (
          (await readMirrorList(actor, operation, parseInput(operation, listInput), scope)).meta
            .total_items ?? 0
        )
      }),
    )
    return accountCounts.reduce((sum, count) => sum + count, 0)
  }
}

const createHeldPaymentCounter = (type: 'payout' | 'charge') =>
  createRowCounter('payments.search', { payment_type: [type], payment_status: ['on_hold'] })

async function countRequestedDeletions({
  actor,
  environment,
  accounts,
}: CountScope): Promise<number> {
  const account = accounts.length === 1 ? (accounts[0] ?? null) : null
  const requestedDeletionsFilter = deletionsFilter.parse({ state: 'requested', page_size: 1 })
  const { counts } = await listDeletions(actor, environment, {
    ...requestedDeletionsFilter,
    account,
  })
  return counts.requested ?? 0
}

async function countUnknownOutcomes({ actor, environment, accounts }: CountScope): Promise<number> {
  const allOpenActions = await listOpenActions(environment, actor)
  const [account] = accounts
  const scopedActions =
    accounts.length === 1 && account
      ? allOpenActions.filter((action) => action.account === formatAccountId(account))
      : allOpenActions
  return scopedActions.length
}

async function countWaitingApprovals({
  actor,
  environment,
  accounts,
}: CountScope): Promise<number> {
  const waitingRequests = await listApprovalRequests(actor, environment, 'waiting')
  const scopedRequests = accounts.includes(null)
    ? waitingRequests
    : waitingRequests.filter(
        ({ action }) => action.account && accounts.includes(parseAccountId(action.account)),
      )
  return scopedRequests.filter(({ disabled_reason }) => disabled_reason === null).length
}

/** `who`: the roles that can decide. */
const queueCounters: Readonly<
  Record<QueueKind, { who: readonly Role[]; count: (asker: CountScope) => Promise<number> }>
> = {
  payouts_held: {
    who: getServiceOperation('payouts.release').allow,
    count: createHeldPaymentCounter('payout'),
  },
  charges_held: {
    who: getServiceOperation('charges.release').allow,
    count: createHeldPaymentCounter('charge'),
  },
  paykeys_review: {
    who: getServiceOperation('paykeys.decide').allow,
    count: createRowCounter('paykeys.list', { status: ['review'] }),
  },
  customers_review: {
    who: getServiceOperation('customers.decide').allow,
    count: createRowCounter('customers.list', { status: ['review'] }),
  },
  deletions_requested: {
    who: getServiceOperation('customers.delete').allow,
    count: countRequestedDeletions,
  },
  outcomes_unknown: { who: queueLabels.outcomes.who ?? [], count: countUnknownOutcomes },
  approvals_waiting: { who: evidenceRoles, count: countWaitingApprovals },
}

const createAccountRoleFilter =
  ({ actor, environment }: CountScope, allowedRoles: readonly Role[]) =>
  (accountId: string | null): boolean =>
    getRolesIn(actor.grants, environment, accountId).some((role) => allowedRoles.includes(role))

/** A queue that cannot be counted is left out. */
async function countQueues(countScope: CountScope): Promise<QueueCounts> {
  const queueCountEntries = await Promise.all(
    Object.entries(queueCounters).map(async ([waiting, { who, count }]) => {
      const permittedAccounts = countScope.accounts.filter(createAccountRoleFilter(countScope, who))
      if (permittedAccounts.length === 0) return []
      try {
        return [[waiting, await count({ ...countScope, accounts: permittedAccounts })] as const]
      } catch (error) {
        log.info({
          event: 'queue.not_counted',
          environment: countScope.environment,
          state: waiting,
          code: getErrorCode(error),
        })
        return []
      }
    }),
  )
  return Object.fromEntries(queueCountEntries.flat())
}

export const countPersonQueues = (actor: Actor, environment: Environment): Promise<QueueCounts> =>
  countQueues({
    actor,
    environment,
    accounts: getGrantedAccounts(actor.grants, environment) ?? [null],
  })

export const queueHandlers: DeskOperationHandlers<'queue_counts.read'> = {
  'queue_counts.read': async ({ actor, environment, account }) => {
    const scopeAccounts = account
      ? [parseAccountId(account)]
      : (getGrantedAccounts(actor.grants, environment) ?? [null])
    const [waiting, mirror] = await Promise.all([
      countQueues({ actor, environment, accounts: scopeAccounts }),
      readMirrorState(environment),
    ])
    return {
      data: {
        waiting,
        mirror,
        notifications: await countInAppNotifications(actor, environment, waiting),
      },
    }
  },
}
