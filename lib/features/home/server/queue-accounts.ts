import 'server-only'
import { findOwnValue } from '@/lib/domain/service-words'
import { getStatusWords } from '@/lib/domain/status'
import { type QueueReadResult, type QueueRow, rowsPerQueue } from '@/lib/features/home/queues'
import type { Account } from '@/lib/operations/accounts.schema'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import type { AccountScopeContext, PageContext } from '@/lib/operations/page-context'
import { accountPagePath, deskPath, listPath, recordPath } from '@/lib/routes'
import { getCurrentActor } from '@/lib/server/auth/session'
import { loadAccountChoicesByIds } from '@/lib/server/http/account-choices'
import { listRowAccounts, loadReadForPage, type ReadFailure } from '@/lib/server/http/read'
import { equals, notInList } from '@/lib/server/mirror/conditions'
import { mirrorAccounts, mirrorCapabilityRequests } from '@/lib/server/store/schema/mirror'
import { findOldestTime } from './queue-read'

const stripAccountPrefix = (account: string) => account.replace(/^acct_/, '')

function toAccountRow(context: PageContext, account: Account): QueueRow {
  const statusDetail = account.status_detail
  return {
    key: `accounts/${account.id}`,
    href: recordPath(context, 'accounts', account.id, { account: context.account }),
    title: account.business_profile?.name ?? account.id,
    line: statusDetail?.message ?? statusDetail?.reason ?? 'No detail was given',
    since: account.updated_at ?? account.created_at ?? null,
    ...(statusDetail?.reason === 'stuck' ? { code: 'stuck' } : {}),
  }
}

export async function readAccountsGroup(
  context: PageContext,
  status: 'created' | 'onboarding',
): Promise<QueueReadResult> {
  // The list of accounts has no account scope, so this condition limits it to the page's account.
  const accountCondition = equals(
    mirrorAccounts.id,
    context.account === null ? undefined : stripAccountPrefix(context.account),
  )
  const accountsResult = await loadReadForPage(
    context,
    'accounts.list',
    { status, sort_by: 'created_at', sort_order: 'asc', page_size: rowsPerQueue },
    { across: accountCondition },
  )
  if (!accountsResult.ok) return accountsResult
  const queueRows = accountsResult.data.map((account) => toAccountRow(context, account))
  const unreadableRows = accountsResult.meta.unreadable_rows ?? []
  return {
    ok: true,
    group: {
      id: status === 'created' ? 'accounts_created' : 'accounts_onboarding',
      total: accountsResult.meta.total_items ?? queueRows.length,
      atLeast: unreadableRows.length > 0,
      rows: queueRows,
      unreadable: unreadableRows,
      oldest: findOldestTime(queueRows.map((row) => row.since)),
      href: listPath(context, 'accounts', { tab: status }),
      readAt: accountsResult.meta.read_at ?? '',
    },
  }
}

/** Every other state, known or not, counts as open (provider facts 2.1). */
const closedRequestStates = ['active', 'approved', 'inactive', 'rejected']

const capabilityTypeLabels: Record<string, string> = {
  charges: 'Charges',
  payouts: 'Payouts',
  individuals: 'Individual customers',
  businesses: 'Business customers',
  internet: 'Consent over the internet',
  signed_agreement: 'Consent by signed agreement',
}

function toCapabilityRequestLine({ type, enable, settings, status }: CapabilityRequest): string {
  const hasLimits = Object.keys(settings).length > 0
  const changeText =
    enable === undefined
      ? 'not readable'
      : !enable
        ? 'deactivate'
        : hasLimits
          ? 'new limits'
          : 'activate'
  return `${findOwnValue(capabilityTypeLabels, type) ?? (type || 'Type not readable')}: ${changeText} · ${getStatusWords('capability_request', status).label.toLowerCase()}`
}

const maxOpenRequests = 1000

/** The oldest first. `total` counts all open requests, also those that are not returned. */
export type OpenCapabilityRequestsResult =
  | {
      ok: true
      requests: { id: string; account: string; name: string; line: string; since: string | null }[]
      unreadable: readonly UnreadableRow[]
      total: number
      readAt: string
    }
  | ReadFailure

/** Includes requests that were made outside Paydesk. */
export async function loadOpenCapabilityRequests(
  context: AccountScopeContext,
): Promise<OpenCapabilityRequestsResult> {
  const requestsInput = {
    sort_by: 'created_at',
    sort_order: 'asc',
    page_size: maxOpenRequests,
  } as const
  const requestsResult = await loadReadForPage(context, 'capability_requests.list', requestsInput, {
    across: notInList(mirrorCapabilityRequests.status, closedRequestStates),
  })
  if (!requestsResult.ok) return requestsResult
  const requestAccounts = listRowAccounts(context, requestsResult)
  const actor = await getCurrentActor()
  const accountChoices = actor
    ? await loadAccountChoicesByIds(actor, context.environment, requestAccounts)
    : []
  const nameByAccountId = new Map(accountChoices.map(({ id, name }) => [id, name]))
  return {
    ...{
      ok: true,
      unreadable: requestsResult.meta.unreadable_rows ?? [],
      readAt: requestsResult.meta.read_at ?? '',
      total: requestsResult.meta.total_items ?? requestsResult.data.length,
    },
    requests: requestsResult.data.map((request, at) => {
      const account = requestAccounts[at] ?? ''
      return {
        id: request.id,
        account,
        name: nameByAccountId.get(account) ?? account,
        line: toCapabilityRequestLine(request),
        since: request.created_at ?? null,
      }
    }),
  }
}

export async function readCapabilityRequestsGroup(context: PageContext): Promise<QueueReadResult> {
  const openRequestsResult = await loadOpenCapabilityRequests(context)
  if (!openRequestsResult.ok) return openRequestsResult
  const { requests, unreadable, total, readAt } = openRequestsResult
  return {
    ok: true,
    group: {
      ...{ id: 'capability_requests', total, atLeast: unreadable.length > 0, readAt, unreadable },
      rows: requests.slice(0, rowsPerQueue).map(({ id, account, name, line, since }) => ({
        key: `capability_requests/${id}`,
        href: accountPagePath(context, `/accounts/${stripAccountPrefix(account)}/limits`, {
          account,
        }),
        title: name,
        ...{ line, since },
      })),
      oldest: findOldestTime(requests.map(({ since }) => since)),
      href: deskPath(context, '/limits'),
    },
  }
}
