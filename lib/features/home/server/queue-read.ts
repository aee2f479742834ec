import 'server-only'
import { timeOf } from '@/lib/dates'
import { AppError } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { PageContext } from '@/lib/operations/page-context'
import type { Input, Output } from '@/lib/operations/registry'
import type { MirrorListId } from '@/lib/operations/service-operations'
import { accountsOf, load, type Unread } from '@/lib/server/http/read'
import { newRequestId } from '@/lib/server/service/request'

/** A row and its account (`acct_…`); null if the account is not known. */
export type Found<R> = { row: R; account: string | null }

/** The first rows of a list. `total` is the number of matching rows. Each of the `unreadable` rows may match too, so there may be more. */
export type Queued<R> = { ok: true; found: Found<R>[]; unreadable: readonly UnreadableRow[]; total: number; readAt: string } | Unread

/** Returns the first rows of a list in the page's account, or in all accounts that the person may see. */
export async function queued<K extends MirrorListId>(context: PageContext, id: K, input: Input<K>): Promise<Queued<Output<K>[number]>> {
  const read = await load(context, id, input, { across: [] })
  if (!read.ok) return read
  const accounts = accountsOf(context, read)
  const rows = read.data as readonly Output<K>[number][]
  return {
    ok: true,
    found: rows.map((row, at) => ({ row, account: accounts[at] ?? null })),
    unreadable: read.meta.unreadable_rows ?? [],
    total: read.meta.total_items ?? rows.length,
    readAt: read.meta.read_at ?? new Date().toISOString(),
  }
}

/** Runs the work for one part of the page. Returns an error instead of throwing it, so that the other parts are still shown. */
export async function safely<T>(work: () => Promise<T>): Promise<T | Unread> {
  try {
    return await work()
  } catch (error) {
    const appError = error instanceof AppError ? error : new AppError('internal', 'Something went wrong on our side', { cause: error })
    return { ok: false, error: appError.toWire(), requestId: appError.requestId ?? newRequestId() }
  }
}

/** Returns the earliest of some ISO times; null if none can be parsed. */
export function oldestOf(times: readonly (string | null | undefined)[]): string | null {
  const validTimes = times.flatMap((time) => (time && timeOf(time) !== null ? [time] : []))
  return validTimes.reduce<string | null>(
    (oldest, time) => (oldest === null || Date.parse(time) < Date.parse(oldest) ? time : oldest),
    null,
  )
}
