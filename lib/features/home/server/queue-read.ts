import 'server-only'
import { parseTime } from '@/lib/dates'
import { AppError } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { PageContext } from '@/lib/operations/page-context'
import type { Input, Output } from '@/lib/operations/registry'
import type { MirrorListId } from '@/lib/operations/service-operations'
import { listRowAccounts, loadReadForPage, type ReadFailure } from '@/lib/server/http/read'
import { createRequestId } from '@/lib/server/service/request'

/** `account`: `acct_…`; null if unknown. */
export type RowWithAccount<R> = { row: R; account: string | null }

/** Each of the `unreadable` rows may match too, so there may be more than `total`. */
export type QueueRowsReadResult<R> =
  | {
      ok: true
      found: RowWithAccount<R>[]
      unreadable: readonly UnreadableRow[]
      total: number
      readAt: string
    }
  | ReadFailure

/** Reads the page's account, or all accounts that the person may see. */
export async function readQueueRows<K extends MirrorListId>(
  context: PageContext,
  listId: K,
  input: Input<K>,
): Promise<QueueRowsReadResult<Output<K>[number]>> {
  const listResult = await loadReadForPage(context, listId, input, { across: [] })
  if (!listResult.ok) return listResult
  const rowAccounts = listRowAccounts(context, listResult)
  const resultRows = listResult.data as readonly Output<K>[number][]
  return {
    ok: true,
    found: resultRows.map((row, at) => ({ row, account: rowAccounts[at] ?? null })),
    unreadable: listResult.meta.unreadable_rows ?? [],
    total: listResult.meta.total_items ?? resultRows.length,
    readAt: listResult.meta.read_at ?? new Date().toISOString(),
  }
}

/** Returns errors instead of throwing them, so that the other parts of the page are still shown. */
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

/** Ignores times that cannot be parsed; null if there is no other. */
export function findOldestTime(times: readonly (string | null | undefined)[]): string | null {
  const validTimes = times.flatMap((time) => (time && parseTime(time) !== null ? [time] : []))
  return validTimes.reduce<string | null>(
    (oldest, time) => (oldest === null || Date.parse(time) < Date.parse(oldest) ? time : oldest),
    null,
  )
}
