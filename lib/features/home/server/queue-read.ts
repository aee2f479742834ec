import 'server-only'
import { parseTime } from '@/lib/dates'
import { AppError } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { PageContext } from '@/lib/operations/page-context'
import type { Input, Output } from '@/lib/operations/registry'
import type { MirrorListId } from '@/lib/operations/service-operations'
import { listRowAccounts, loadForPage, type ReadFailure } from '@/lib/server/http/read'
import { createRequestId } from '@/lib/server/service/request'

/** A row and its account (`acct_…`); null if the account is not known. */
export type RowWithAccount<R> = { row: R; account: string | null }

/**
 * The first rows of a list. `total` is the number of matching rows. Each of the `unreadable` rows
 * may match too, so there may be more.
 */
export type QueueRowsRead<R> =
  | {
      ok: true
      found: RowWithAccount<R>[]
      unreadable: readonly UnreadableRow[]
      total: number
      readAt: string
    }
  | ReadFailure

/**
 * Returns the first rows of a list in the page's account, or in all accounts that the person may
 * see.
 */
export async function readQueueRows<K extends MirrorListId>(
  context: PageContext,
  listId: K,
  input: Input<K>,
): Promise<QueueRowsRead<Output<K>[number]>> {
  const listRead = await loadForPage(context, listId, input, { across: [] })
  if (!listRead.ok) return listRead
  const accounts = listRowAccounts(context, listRead)
  const rows = listRead.data as readonly Output<K>[number][]
  return {
    ok: true,
    found: rows.map((row, at) => ({ row, account: accounts[at] ?? null })),
    unreadable: listRead.meta.unreadable_rows ?? [],
    total: listRead.meta.total_items ?? rows.length,
    readAt: listRead.meta.read_at ?? new Date().toISOString(),
  }
}

/**
 * Runs the work for one part of the page. Returns an error instead of throwing it, so that the
 * other parts are still shown.
 */
export async function catchReadError<T>(work: () => Promise<T>): Promise<T | ReadFailure> {
  try {
    return await work()
  } catch (error) {
    const appError =
      error instanceof AppError
        ? error
        : new AppError('internal', 'Something went wrong on our side', { cause: error })
    return {
      ok: false,
      error: appError.toWire(),
      requestId: appError.requestId ?? createRequestId(),
    }
  }
}

/** Returns the earliest of some ISO times; null if none can be parsed. */
export function findOldestTime(times: readonly (string | null | undefined)[]): string | null {
  const validTimes = times.flatMap((time) => (time && parseTime(time) !== null ? [time] : []))
  return validTimes.reduce<string | null>(
    (oldest, time) => (oldest === null || Date.parse(time) < Date.parse(oldest) ? time : oldest),
    null,
  )
}
