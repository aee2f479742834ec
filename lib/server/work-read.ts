import 'server-only'
import { AppError, type WireError } from '@/lib/errors'
import type { Desk } from '@/lib/operations/desk'
import type { Input, Output } from '@/lib/operations/registry'
import { type Loaded, load } from './read'
import { newRequestId } from './request-id'

type ListId = 'payments.search' | 'paykeys.list' | 'customers.list' | 'capability_requests.list'
type Row<K extends ListId> = Output<K>[number]

/** Accounts asked one by one for one question, at most: every call counts against the platform's shared rate budget. */
export const mostAccounts = 25
const atOnce = 4
/** The most rows one call gives (provider facts 5). */
const pageSize = 1000

/** A row and the account it was found in; null where the whole platform was asked. */
export type Found<R> = { row: R; account: string | null }

/** A part of the page that could not be read. */
export type Unread = { ok: false; error: WireError; requestId: string }

/** What a question came to over all its scopes. `cut` names the scopes of which the bound on pages left rows unread. */
export type Gathered<R> = { ok: true; found: Found<R>[]; total: number; cut: (string | null)[]; readAt: string } | Unread

/** Does the work for each of some things, a few at a time; results in the order of the things. */
export async function fewAtATime<T, R>(things: readonly T[], work: (thing: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < things.length; at += atOnce) results.push(...(await Promise.all(things.slice(at, at + atOnce).map(work))))
  return results
}

/**
 * The scopes a page over all accounts reads in: the account of the URL, the whole platform, or, for a person who holds single accounts, each
 * of those.
 */
export function scopesOf(desk: Desk): Desk[] {
  if (!desk.needsAccount) return [desk]
  return desk.accounts.slice(0, mostAccounts).map(({ id }) => ({ ...desk, account: id, needsAccount: false }))
}

type Paged<R> = { ok: true; rows: R[]; total: number; readAt: string } | Unread

function joined<R>(reads: readonly Loaded<unknown>[]): Paged<R> {
  const failed = reads.find((read) => !read.ok)
  if (failed && !failed.ok) return failed
  const good = reads.flatMap((read) => (read.ok ? [read] : []))
  const rows = good.flatMap(({ data }) => data as R[])
  return { ok: true, rows, total: good[0]?.meta.total_items ?? rows.length, readAt: good[0]?.meta.read_at ?? '' }
}

async function pagesOf<K extends ListId>(scope: Desk, id: K, input: Input<K>, most: number): Promise<Paged<Row<K>>> {
  const first = await load(scope, id, input)
  if (!first.ok || most === 1) return joined([first])
  const pages = Math.min(most, Math.ceil((first.meta.total_items ?? 0) / pageSize))
  const rest = Array.from({ length: Math.max(0, pages - 1) }, (_, at) => ({ ...input, page_number: at + 2 }))
  return joined([first, ...(await fewAtATime(rest, (page) => load(scope, id, page)))])
}

/**
 * Asks one question in every scope of a desk and puts the answers together. With `pages` it reads on, in pages of a thousand, up to so many
 * over all scopes; without, the input's own page is all. One scope that cannot be read fails the whole: a part would pass for everything.
 */
export async function gather<K extends ListId>(desk: Desk, id: K, input: Input<K>, pages?: number): Promise<Gathered<Row<K>>> {
  const scopes = scopesOf(desk)
  const most = pages === undefined ? 1 : Math.max(1, Math.floor(pages / scopes.length))
  const asked = pages === undefined ? input : { ...input, page_size: pageSize }
  const reads = await fewAtATime(scopes, (scope) => pagesOf(scope, id, asked, most))
  const failed = reads.find((read) => !read.ok)
  if (failed && !failed.ok) return failed
  const good = reads.flatMap((read) => (read.ok ? [read] : []))
  return {
    ok: true,
    found: good.flatMap(({ rows }, at) => rows.map((row) => ({ row, account: scopes[at]?.account ?? null }))),
    total: good.reduce((sum, { total }) => sum + total, 0),
    cut: good.flatMap(({ rows, total }, at) => (pages !== undefined && rows.length < total ? [scopes[at]?.account ?? null] : [])),
    readAt: good[0]?.readAt || new Date().toISOString(),
  }
}

/** Runs a part of the page; whatever it throws is told in its place, and the other parts stand. */
export async function safely<T>(work: () => Promise<T>): Promise<T | Unread> {
  try {
    return await work()
  } catch (error) {
    const known = error instanceof AppError ? error : new AppError('internal', 'Something went wrong on our side', { cause: error })
    return { ok: false, error: known.toWire(), requestId: known.requestId ?? newRequestId() }
  }
}
