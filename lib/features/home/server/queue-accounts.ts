import 'server-only'
import { inTable } from '@/lib/domain/service-words'
import { statusWords } from '@/lib/domain/status'
import { type QueueRead, type QueueRow, queueRows } from '@/lib/features/home/queues'
import type { Account } from '@/lib/operations/accounts.schema'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import { rowsSent, totalOf } from '@/lib/operations/list-count'
import type { AccountsInScope, PageContext } from '@/lib/operations/page-context'
import { deskPath, listPath, ownPath, recordPath } from '@/lib/routes'
import { load } from '@/lib/server/http/read'
import { mapLimited } from '@/lib/server/service/service-read'
import { remembered } from './memory'
import { mostAccounts, oldestOf, type Unread } from './queue-read'

/** The accounts the page is about: the one of the URL, or every one the person may see. */
const choicesOf = (context: AccountsInScope) =>
  context.account === null ? context.accounts : context.accounts.filter(({ id }) => id === context.account)

/** Every account may be seen, so the service's own count is ours. */
const seesAll = (context: PageContext) => context.account === null && !context.needsAccount

const bare = (account: string) => account.replace(/^acct_/, '')

function accountRow(context: PageContext, account: Account): QueueRow {
  const detail = account.status_detail
  return {
    key: `accounts/${account.id}`,
    href: recordPath(context, 'accounts', account.id, { account: context.account }),
    title: account.business_profile?.name ?? account.id,
    line: detail?.message ?? detail?.reason ?? 'No detail was given',
    since: account.updated_at ?? account.created_at ?? null,
    ...(detail?.reason === 'stuck' ? { code: 'stuck' } : {}),
  }
}

/** The accounts in one state before `active`, the oldest first. */
export async function accountsGroup(context: PageContext, status: 'created' | 'onboarding'): Promise<QueueRead> {
  const whole = seesAll(context)
  const input = { status, sort_by: 'created_at', sort_order: 'asc', page_size: whole ? queueRows : 1000 } as const
  const read = await load(context, 'accounts.list', input)
  if (!read.ok) return read
  const own = new Set(choicesOf(context).map(({ id }) => bare(id)))
  const seen = whole ? read.data : read.data.filter(({ id }) => own.has(id))
  const rows = seen.slice(0, queueRows).map((account) => accountRow(context, account))
  const total = whole ? totalOf(read, { size: input.page_size }) : seen.length
  return {
    ok: true,
    group: {
      id: status === 'created' ? 'accounts_created' : 'accounts_onboarding',
      total: total ?? rowsSent(read),
      atLeast: total === null,
      rows,
      unreadable: read.meta.unreadable_rows ?? [],
      oldest: oldestOf(rows.map((row) => row.since)),
      href: listPath(context, 'accounts', { tab: status }),
      readAt: read.meta.read_at ?? '',
    },
  }
}

/** States after which nothing is open any more; every other word, known or not, still waits for somebody (provider facts 2.1). */
const closed = ['active', 'approved', 'inactive', 'rejected']

const asks: Record<string, string> = {
  charges: 'Charges',
  payouts: 'Payouts',
  individuals: 'Individual customers',
  businesses: 'Business customers',
  internet: 'Consent over the internet',
  signed_agreement: 'Consent by signed agreement',
}

function requestLine({ type, enable, settings, status }: CapabilityRequest): string {
  const limits = Object.keys(settings).length > 0
  const what = enable === undefined ? 'not readable' : !enable ? 'deactivate' : limits ? 'new limits' : 'activate'
  return `${inTable(asks, type) ?? (type || 'Type not readable')}: ${what} · ${statusWords('capability_request', status).label.toLowerCase()}`
}

type Requests =
  | { ok: true; requests: (CapabilityRequest & { account: string; name: string })[]; unreadable: UnreadableRow[]; readAt: string }
  | Unread

async function readRequests(context: AccountsInScope, accounts: PageContext['accounts']): Promise<Requests> {
  const reads = await mapLimited(accounts, ({ id }) =>
    load({ environment: context.environment, account: id }, 'capability_requests.list', { page_size: 1000 }),
  )
  const failed = reads.find((read) => !read.ok)
  if (failed && !failed.ok) return failed
  const requests = reads.flatMap((read, at) => {
    const account = accounts[at]
    return read.ok && account ? read.data.map((request) => ({ ...request, account: account.id, name: account.name })) : []
  })
  const unreadable = reads.flatMap((read) => (read.ok ? (read.meta.unreadable_rows ?? []) : []))
  return { ok: true, requests: requests.filter(({ status }) => !closed.includes(status)), unreadable, readAt: new Date().toISOString() }
}

/**
 * Capability requests that nobody has answered yet, the oldest first, each with its line in words. `cut` says of how many accounts they are where there
 * are more than can be asked.
 */
export type OpenCapabilities =
  | {
      ok: true
      requests: { id: string; account: string; name: string; line: string; since: string | null }[]
      unreadable: UnreadableRow[]
      cut: { asked: number; all: number } | null
      readAt: string
    }
  | Unread

/**
 * Reads what is open at the service, whoever asked for it and wherever. The service lists it one account at a time, so it is read a few at a time,
 * kept for a minute, and of the first accounts only where there are many.
 */
export async function openCapabilities(context: AccountsInScope): Promise<OpenCapabilities> {
  const all = choicesOf(context)
  const accounts = all.slice(0, mostAccounts)
  const read = await remembered('capability requests', context, () => readRequests(context, accounts))
  if (!read.ok) return read
  const oldest = read.requests.toSorted((a, b) => (a.created_at ?? '').localeCompare(b.created_at ?? ''))
  return {
    ...{ ok: true, unreadable: read.unreadable, readAt: read.readAt },
    requests: oldest.map((request) => ({
      ...{ id: request.id, account: request.account, name: request.name },
      ...{ line: requestLine(request), since: request.created_at ?? null },
    })),
    cut: all.length > accounts.length ? { asked: accounts.length, all: all.length } : null,
  }
}

/** The same as a queue of the first page. */
export async function requestsGroup(context: PageContext): Promise<QueueRead> {
  const read = await openCapabilities(context)
  if (!read.ok) return read
  const { requests, unreadable, cut, readAt } = read
  return {
    ok: true,
    group: {
      ...{ id: 'capability_requests', total: requests.length + unreadable.length, atLeast: cut !== null, readAt, unreadable },
      rows: requests.slice(0, queueRows).map(({ id, account, name, line, since }) => ({
        key: `capability_requests/${id}`,
        href: ownPath(context, `/accounts/${account.replace(/^acct_/, '')}/limits`, { account }),
        title: name,
        ...{ line, since },
      })),
      oldest: oldestOf(requests.map(({ since }) => since)),
      href: deskPath(context, '/limits'),
      ...(cut ? { note: `Shows the first ${cut.asked} of ${cut.all} accounts. Choose an account to see its requests.` } : {}),
    },
  }
}
