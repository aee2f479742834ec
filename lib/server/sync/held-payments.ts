import 'server-only'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import { mirrorPayments as payments } from '@/lib/server/store/schema/mirror-payments'
import { getDatabase } from '@/lib/server/store/store'
import { readServiceInPass, type SyncPass } from './call'

const maxPaymentReads = 50
/**
 * True if the payment was held more than a minute ago. Before that, a webhook is expected to bring
 * its details.
 */
const isHeldLongerThanMinute = sql`coalesce(${payments.changedAt}, ${payments.createdAt}, '-infinity') < now() - interval '1 minute'`

/** Time of the next read after a failed one (milliseconds since 1970), by payment id. */
const retryTimeByPayment = new Map<string, number>()
const retryDelayMs = 10 * 60_000

type HeldPayment = { id: string; type: string; account: string | null }

async function syncHeldPayment(pass: SyncPass, { id, type, account }: HeldPayment): Promise<void> {
  const resource = type === 'charge' ? 'charges' : 'payouts'
  const seenAt = new Date()
  const { data } = await readServiceInPass(pass, `${resource}.get`, { id }, account)
  await upsertObjects({
    environment: pass.environment,
    resource,
    account,
    objects: [data as never],
    seenBy: 'sync',
    seenAt,
  })
}

/** Codes of errors that concern one payment only. */
const paymentErrorPattern = /^service_(?:refused|not_found|failed)$/

/**
 * A list contains neither the hold rule nor the documents that can explain a hold, so held payments
 * are read one by one. Throws `OutOfTimeError` and database errors. After an error of the service,
 * a payment is read again later.
 */
export async function readHeldPayments(pass: SyncPass): Promise<void> {
  for (const row of await findPaymentsToRead(pass.environment)) {
    try {
      await syncHeldPayment(pass, row)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      retryTimeByPayment.set(row.id, Date.now() + retryDelayMs)
      if (!paymentErrorPattern.test(error.code)) return
    }
  }
}

async function findPaymentsToRead(environment: Environment): Promise<HeldPayment[]> {
  for (const [id, at] of retryTimeByPayment) if (at < Date.now()) retryTimeByPayment.delete(id)
  const db = await getDatabase()
  const paymentRows = await db
    .select({ id: payments.id, type: payments.paymentType, account: payments.accountId })
    .from(payments)
    .where(
      and(
        eq(payments.environment, environment),
        eq(payments.status, 'on_hold'),
        isNull(payments.record),
        isHeldLongerThanMinute,
      ),
    )
    .orderBy(sql`${payments.createdAt} desc nulls last`)
    .limit(maxPaymentReads + retryTimeByPayment.size)
  return paymentRows.filter(({ id }) => !retryTimeByPayment.has(id)).slice(0, maxPaymentReads)
}
