import 'server-only'
import { statusWords } from '@/lib/domain/status'
import { type WorkRead, type WorkRow, workRows } from '@/lib/domain/work'
import type { Account } from '@/lib/operations/accounts.schema'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import type { Desk } from '@/lib/operations/desk'
import { deskPath, listPath, recordPath } from '@/lib/routes'
import { remembered } from './home-memory'
import { load } from './read'
import { fewAtATime, mostAccounts, type Unread } from './work-read'
import { oldestOf } from './work-rows'

/** The accounts the page is about: the one of the URL, or every one the person may see. */
const choicesOf = (desk: Desk) => (desk.account === null ? desk.accounts : desk.accounts.filter(({ id }) => id === desk.account))

/** Every account may be seen, so the service's own count is ours. */
const seesAll = (desk: Desk) => desk.account === null && !desk.needsAccount

const bare = (account: string) => account.replace(/^acct_/, '')

function accountRow(desk: Desk, account: Account): WorkRow {
  const detail = account.status_detail
  return {
    key: `accounts/${account.id}`,
    href: recordPath(desk.environment, 'accounts', account.id, { account: desk.account }),
    title: account.business_profile?.name ?? account.id,
    line: detail?.message ?? detail?.reason ?? 'No detail was given',
    since: account.updated_at ?? account.created_at ?? null,
    ...(detail?.reason === 'stuck' ? { code: 'stuck' } : {}),
  }
}

/** The accounts in one state before `active`, the oldest first. */
export async function accountsGroup(desk: Desk, status: 'created' | 'onboarding'): Promise<WorkRead> {
  const whole = seesAll(desk)
  const input = { status, sort_by: 'created_at', sort_order: 'asc', page_size: whole ? workRows : 1000 } as const
  const read = await load(desk, 'accounts.list', input)
  if (!read.ok) return read
  const own = new Set(choicesOf(desk).map(({ id }) => bare(id)))
  const seen = whole ? read.data : read.data.filter(({ id }) => own.has(id))
  const rows = seen.slice(0, workRows).map((account) => accountRow(desk, account))
  return {
    ok: true,
    group: {
      id: status === 'created' ? 'accounts_created' : 'accounts_onboarding',
      total: whole ? (read.meta.total_items ?? seen.length) : seen.length,
      atLeast: false,
      rows,
      oldest: oldestOf(rows.map((row) => row.since)),
      href: listPath(desk.environment, 'accounts', { account: desk.account, tab: status }),
      readAt: read.meta.read_at,
    },
  }
}

/** States after which nothing is open any more; every other word, known or not, still waits for somebody (provider facts 2.1). */
const closed = ['active', 'approved', 'inactive', 'rejected']

const asks: Record<string, string> = {
  charges: 'Charges',
  payouts: 'Payouts',
  individuals: 'Customers who are individuals',
  businesses: 'Customers that are businesses',
  internet: 'Consent over the internet',
  signed_agreement: 'Consent by signed agreement',
}

function requestLine({ type, enable, settings, status }: CapabilityRequest): string {
  const limits = Object.keys(settings).length > 0
  const what = !enable ? 'switch off' : limits ? 'new limits' : 'switch on'
  return `${asks[type] ?? type}: ${what} · ${statusWords('capability_request', status).label.toLowerCase()}`
}

type Requests = { ok: true; requests: (CapabilityRequest & { account: string; name: string })[]; readAt: string } | Unread

async function readRequests(desk: Desk, accounts: Desk['accounts']): Promise<Requests> {
  const reads = await fewAtATime(accounts, ({ id }) =>
    load({ ...desk, account: id, needsAccount: false }, 'capability_requests.list', { page_size: 1000 }),
  )
  const failed = reads.find((read) => !read.ok)
  if (failed && !failed.ok) return failed
  const requests = reads.flatMap((read, at) => {
    const account = accounts[at]
    return read.ok && account ? read.data.map((request) => ({ ...request, account: account.id, name: account.name })) : []
  })
  return { ok: true, requests: requests.filter(({ status }) => !closed.includes(status)), readAt: new Date().toISOString() }
}

/**
 * Capability requests that nobody has answered yet, the oldest first. The service lists them one account at a time, so they are read a few at
 * a time, kept for a minute, and of the first accounts only where there are many: the group then says so.
 */
export async function requestsGroup(desk: Desk): Promise<WorkRead> {
  const all = choicesOf(desk)
  const accounts = all.slice(0, mostAccounts)
  const read = await remembered('capability requests', desk, () => readRequests(desk, accounts))
  if (!read.ok) return read
  const oldest = read.requests.toSorted((a, b) => (a.created_at ?? '').localeCompare(b.created_at ?? ''))
  const limited = all.length > accounts.length
  return {
    ok: true,
    group: {
      ...{ id: 'capability_requests', total: oldest.length, atLeast: limited, readAt: read.readAt },
      rows: oldest.slice(0, workRows).map((request) => ({
        key: `capability_requests/${request.id}`,
        href: deskPath(desk.environment, '/limits', { account: request.account }),
        title: request.name,
        line: requestLine(request),
        since: request.created_at ?? null,
      })),
      oldest: oldestOf(oldest.map(({ created_at }) => created_at)),
      href: deskPath(desk.environment, '/limits', { account: desk.account }),
      ...(limited ? { note: `Of the first ${accounts.length} of ${all.length} accounts; choose an account to see its own.` } : {}),
    },
  }
}
