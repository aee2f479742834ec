import 'server-only'
import { sql } from 'drizzle-orm'
import { AppError, type ErrorCode } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { webhookRefusals } from '@/lib/server/store/schema/mirror'
import { delayExitFor, getDatabase } from '@/lib/server/store/store'

const refusalByCause = {
  not_set_up: ['unavailable', 'Webhooks are not set up for this environment'],
  malformed: [
    'bad_request',
    'This is no webhook: its headers or its body are not of the expected form',
  ],
  too_old: ['bad_request', 'The timestamp is more than five minutes off'],
  wrong_signature: ['bad_request', 'The signature does not fit'],
  too_large: ['too_large', 'The body is too large for a webhook'],
  too_slow: ['too_slow', 'The body took too long to arrive'],
  too_many: ['too_many', 'Too many webhooks from this network were refused'],
} as const satisfies Record<string, readonly [ErrorCode, string]>

export type RefusalCause = keyof typeof refusalByCause

export class WebhookRefusedError extends AppError {
  readonly why: RefusalCause

  constructor(cause: RefusalCause, retryAfter?: number) {
    const [code, detail] = refusalByCause[cause]
    super(code, detail, retryAfter === undefined ? {} : { retryAfter })
    this.why = cause
  }
}

/** Refusals are counted in memory first, so that a flood of them does not reach the store. */
const writeDelayMs = 1000

type RefusalCount = { environment: Environment; cause: RefusalCause; count: number; lastAt: Date }
const pendingRefusalCounts = new Map<string, RefusalCount>()
let writeTimer: NodeJS.Timeout | undefined

async function writeRefusalCounts(): Promise<void> {
  writeTimer = undefined
  const refusalRows = [...pendingRefusalCounts.values()].map((row) => ({
    ...row,
    day: row.lastAt.toISOString().slice(0, 10),
  }))
  pendingRefusalCounts.clear()
  try {
    const { environment, cause, day, count, lastAt } = webhookRefusals
    await (await getDatabase())
      .insert(webhookRefusals)
      .values(refusalRows)
      .onConflictDoUpdate({
        target: [environment, cause, day],
        set: {
          count: sql`${count} + excluded.count`,
          lastAt: sql`greatest(${lastAt}, excluded.last_at)`,
        },
      })
  } catch (error) {
    log.warn({
      event: 'webhook_refusals.not_written',
      code: getErrorCode(error),
      count: refusalRows.reduce((sum, row) => sum + row.count, 0),
    })
  }
}

/** Stores nothing of the delivery's content. */
export function countRefusal(environment: Environment, cause: RefusalCause): void {
  const key = `${environment} ${cause}`
  pendingRefusalCounts.set(key, {
    environment,
    cause,
    count: (pendingRefusalCounts.get(key)?.count ?? 0) + 1,
    lastAt: new Date(),
  })
  if (writeTimer) return
  delayExitFor(
    new Promise<void>((resolve) => {
      writeTimer = setTimeout(() => void writeRefusalCounts().finally(resolve), writeDelayMs)
    }),
  )
}
