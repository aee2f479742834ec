import 'server-only'
import { timeOf } from '@/lib/dates'
import { AppError, type WireError } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import { isFull, totalOf } from '@/lib/operations/list-count'
import type { PageContext } from '@/lib/operations/page-context'
import type { Input, Output } from '@/lib/operations/registry'
import { type Loaded, load } from '@/lib/server/http/read'
import { newRequestId } from '@/lib/server/service/request'
import { mapLimited } from '@/lib/server/service/service-read'

type ListId = 'payments.search' | 'paykeys.list' | 'customers.list' | 'capability_requests.list'
type Row<K extends ListId> = Output<K>[number]

/** Accounts asked one by one for one question, at most: every call counts against the platform's shared rate budget. */
export const mostAccounts = 25
/** The most rows one call gives (provider facts 5). */
const pageSize = 1000

/** A row and the account it belongs to; null where nobody knows. */
export type Found<R> = { row: R; account: string | null }

/** A part of the page that could not be read. */
export type Unread = { ok: false; error: WireError; requestId: string }

/**
 * What a question came to over all its scopes. `cut` names the scopes of which the bound on pages left rows unread, `unreadable` are rows that came
 * and could not be read, and `atLeast` says that more may match than `total`, because the service did not say.
 */
export type Gathered<R> =
  | { ok: true; found: Found<R>[]; unreadable: UnreadableRow[]; total: number; atLeast: boolean; cut: (string | null)[]; readAt: string }
  | Unread

/**
 * The scopes a page over all accounts reads in: the account of the URL, the whole platform, or, for a person who holds single accounts, each
 * of those.
 */
function scopesOf(context: PageContext): PageContext[] {
  if (!context.needsAccount) return [context]
  return context.accounts.slice(0, mostAccounts).map(({ id }) => ({ ...context, account: id, needsAccount: false }))
}

type Paged<R> = { ok: true; found: Found<R>[]; unreadable: UnreadableRow[]; total: number | null; readAt: string } | Unread

function joined<R>(reads: readonly Loaded<readonly unknown[]>[], total: number | null): Paged<R> {
  const failed = reads.find((read) => !read.ok)
  if (failed && !failed.ok) return failed
  const good = reads.flatMap((read) => (read.ok ? [read] : []))
  return {
    ok: true,
    found: good.flatMap(({ data, meta }) => (data as R[]).map((row, at) => ({ row, account: meta.accounts?.[at] ?? null }))),
    unreadable: good.flatMap(({ meta }) => meta.unreadable_rows ?? []),
    total,
    readAt: good[0]?.meta.read_at ?? '',
  }
}

/** Reads on page by page where nobody says how many there are. */
async function readOn<K extends ListId>(scope: PageContext, id: K, input: Input<K>, most: number): Promise<Paged<Row<K>>> {
  const reads: Loaded<Output<K>>[] = []
  for (let number = 1; number <= most; number += 1) {
    const read = await load(scope, id, { ...input, page_number: number })
    reads.push(read)
    if (!read.ok) break
    if (!isFull(read, pageSize)) return joined(reads, totalOf(read, { size: pageSize, number }))
  }
  return joined(reads, null)
}

async function pagesOf<K extends ListId>(scope: PageContext, id: K, input: Input<K>, most: number): Promise<Paged<Row<K>>> {
  const first = await load(scope, id, input)
  if (!first.ok) return first
  const total = totalOf(first, { size: (input as { page_size?: number }).page_size ?? pageSize })
  if (most === 1) return joined([first], total)
  if (total === null) return readOn(scope, id, input, most)
  const pages = Math.min(most, Math.ceil(total / pageSize))
  const rest = Array.from({ length: Math.max(0, pages - 1) }, (_, at) => ({ ...input, page_number: at + 2 }))
  return joined([first, ...(await mapLimited(rest, (page) => load(scope, id, page)))], total)
}

/**
 * Asks one question in every scope of a page and puts the answers together. With `pages` it reads on, in pages of a thousand, up to so many
 * over all scopes; without, the input's own page is all. One scope that cannot be read fails the whole: a part would pass for everything.
 */
export async function gather<K extends ListId>(context: PageContext, id: K, input: Input<K>, pages?: number): Promise<Gathered<Row<K>>> {
  const scopes = scopesOf(context)
  const most = pages === undefined ? 1 : Math.max(1, Math.floor(pages / scopes.length))
  const asked = pages === undefined ? input : { ...input, page_size: pageSize }
  const reads = await mapLimited(scopes, (scope) => pagesOf(scope, id, asked, most))
  const failed = reads.find((read) => !read.ok)
  if (failed && !failed.ok) return failed
  const good = reads.flatMap((read) => (read.ok ? [read] : []))
  return {
    ok: true,
    found: good.flatMap(({ found }) => found),
    unreadable: good.flatMap(({ unreadable }) => unreadable),
    total: good.reduce((sum, read) => sum + (read.total ?? sentIn(read)), 0),
    atLeast: good.some(({ total }) => total === null),
    cut: good.flatMap((read, at) => (pages !== undefined && isCut(read) ? [scopes[at]?.account ?? null] : [])),
    readAt: good[0]?.readAt || new Date().toISOString(),
  }
}

type Sent = Extract<Paged<unknown>, { ok: true }>

const sentIn = ({ found, unreadable }: Sent): number => found.length + unreadable.length

const isCut = (read: Sent): boolean => read.total === null || sentIn(read) < read.total

/** Runs a part of the page; whatever it throws is told in its place, and the other parts are shown. */
export async function safely<T>(work: () => Promise<T>): Promise<T | Unread> {
  try {
    return await work()
  } catch (error) {
    const known = error instanceof AppError ? error : new AppError('internal', 'Something went wrong on our side', { cause: error })
    return { ok: false, error: known.toWire(), requestId: known.requestId ?? newRequestId() }
  }
}

/** The earliest of some ISO times; null where there is none that can be read. */
export function oldestOf(times: readonly (string | null | undefined)[]): string | null {
  const known = times.flatMap((time) => (time && timeOf(time) !== null ? [time] : []))
  return known.reduce<string | null>((oldest, time) => (oldest === null || Date.parse(time) < Date.parse(oldest) ? time : oldest), null)
}
