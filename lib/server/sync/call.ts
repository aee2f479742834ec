import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import type { Input } from '@/lib/operations/registry'
import type { ReadId } from '@/lib/operations/service-operations'
import { createMirrorScope } from '@/lib/server/auth/scoped-account'
import { fetchFromService } from '@/lib/server/service/service-read'
import type { ListFilter, SyncPlan } from './plans'

/**
 * A pass of the sync ends at `until` (milliseconds since 1970). The next pass continues at the
 * stored cursor.
 */
export type SyncPass = { environment: Environment; until: number; signal: AbortSignal }

export class OutOfTimeError extends Error {}

export function requireTimeLeft({ until, signal }: SyncPass): void {
  if (signal.aborted || Date.now() >= until) throw new OutOfTimeError()
}

export type ListObject = { id: string } & Readonly<Record<string, unknown>>

/** `askedAt` is when the request was sent. `unreadable` rows could not be parsed. */
export type SyncPage = {
  objects: ListObject[]
  unreadable: readonly UnreadableRow[]
  total: number | undefined
  isLast: boolean
  askedAt: Date
}

/** Throws `OutOfTimeError` at the end of the pass, and any error other than `too_many`. */
async function waitForRateLimit({ until, signal }: SyncPass, error: unknown): Promise<void> {
  if (signal.aborted) throw new OutOfTimeError()
  if (!(error instanceof AppError) || error.code !== 'too_many') throw error
  const waitMs = Math.min((error.retryAfter ?? 1) * 1000, Math.max(0, until - Date.now()))
  await wait(waitMs, undefined, { signal }).catch(() => {
    throw new OutOfTimeError()
  })
}

/** Waits while the rate limiter is full. Throws errors of the read and `OutOfTimeError`. */
export async function readServiceInPass(
  pass: SyncPass,
  id: ReadId,
  input: ListFilter,
  account: string | null,
) {
  for (;;) {
    requireTimeLeft(pass)
    try {
      return await fetchFromService(
        id,
        input as Input<ReadId>,
        createMirrorScope(pass.environment, account),
        pass.signal,
      )
    } catch (error) {
      await waitForRateLimit(pass, error)
    }
  }
}

/**
 * If a resource has a single object per account (`plan.single`), the page contains this object.
 * Rethrows errors of the request. Throws `OutOfTimeError` if the pass has no time left.
 */
export async function readPage(
  pass: SyncPass,
  plan: SyncPlan,
  account: string | null,
  filter: ListFilter,
  page: number,
): Promise<SyncPage> {
  const requestedAt = new Date()
  if (plan.single) {
    const { data } = await readServiceInPass(pass, plan.operation, { id: account }, account)
    return {
      objects: [{ ...data, id: account ?? '' }],
      unreadable: [],
      total: 1,
      isLast: true,
      askedAt: requestedAt,
    }
  }
  const { pageSize } = plan
  const { data, meta } = await readServiceInPass(
    pass,
    plan.operation,
    { page_number: page, page_size: pageSize, ...plan.sorted, ...filter },
    account,
  )
  const objects = data as unknown as ListObject[]
  const unreadableRows = meta.unreadable_rows ?? []
  const rowCount = objects.length + unreadableRows.length + (meta.left_out ?? 0)
  const responsePageSize = meta.page_size ?? pageSize
  const total = meta.total_items
  return {
    objects,
    unreadable: unreadableRows,
    total,
    isLast:
      rowCount === 0 ||
      (total === undefined ? rowCount < responsePageSize : page * responsePageSize >= total),
    askedAt: requestedAt,
  }
}
