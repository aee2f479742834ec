import 'server-only'
import { listOpenActions } from '@/lib/features/activity/server/operations'
import { loadDecidableProposal } from '@/lib/features/approvals/server/proposal'
import { listApprovalRequests } from '@/lib/features/approvals/server/requests'
import { listDeletions } from '@/lib/features/deletions/server/deletions'
import { queueLabels } from '@/lib/features/home/labels'
import { countInAppNotifications } from '@/lib/features/notifications/server/in-app'
import { type Environment, evidenceRoles, type Resource, type Role } from '@/lib/operations/define'
import { deletionsFilter } from '@/lib/operations/deletion'
import { getOwnerRule } from '@/lib/operations/ownership'
import type { Input } from '@/lib/operations/registry'
import { getServiceOperation, type MirrorListId } from '@/lib/operations/service-operations'
import type { QueueCounts, QueueKind } from '@/lib/pages'
import {
  formatAccountId,
  getGrantedAccounts,
  getRolesIn,
  parseAccountId,
} from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getIntegration } from '@/lib/server/config/integration'
import { getErrorCode } from '@/lib/server/error-code'
import { authorizeCall } from '@/lib/server/http/authorize'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { parseInput } from '@/lib/server/http/input'
import { readMirrorState } from '@/lib/server/http/mirror-state'
import { readMirrorList } from '@/lib/server/http/operation-reads'
import { log } from '@/lib/server/log'

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

/** A proposed policy counts in every account, because it belongs to none. */
async function countWaitingApprovals({
  actor,
  environment,
  accounts,
}: CountScope): Promise<number> {
  const [waitingRequests, proposal] = await Promise.all([
    listApprovalRequests(actor, environment, 'waiting'),
    loadDecidableProposal(actor, environment),
  ])
  const scopedRequests = accounts.includes(null)
    ? waitingRequests
    : waitingRequests.filter(
        ({ action }) => action.account && accounts.includes(parseAccountId(action.account)),
      )
  const decidableRequests = scopedRequests.filter(({ disabled_reason }) => disabled_reason === null)
  return decidableRequests.length + Number(proposal !== null)
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

/** In a marketplace, the platform decides customers and paykeys, whatever accounts they pay. */
const decidedResources: Partial<Record<QueueKind, Resource>> = {
  customers_review: 'customers',
  paykeys_review: 'paykeys',
  deletions_requested: 'customers',
}

function createAccountRoleFilter({ actor, environment }: CountScope, waiting: QueueKind) {
  const { who } = queueCounters[waiting]
  const resource = decidedResources[waiting]
  const isOfPlatform =
    resource !== undefined && getOwnerRule(resource, getIntegration(environment)) === 'platform'
  return (accountId: string | null): boolean =>
    getRolesIn(actor.grants, environment, isOfPlatform ? null : accountId).some((role) =>
      who.includes(role),
    )
}

const queueKinds = Object.keys(queueCounters) as QueueKind[]

/** A queue that cannot be counted is left out. */
async function countQueues(countScope: CountScope): Promise<QueueCounts> {
  const queueCountEntries = await Promise.all(
    queueKinds.map(async (waiting) => {
      const { count } = queueCounters[waiting]
      const permittedAccounts = countScope.accounts.filter(
        createAccountRoleFilter(countScope, waiting),
      )
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
    const scopeAccounts =
      account && getIntegration(environment) !== 'account'
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
