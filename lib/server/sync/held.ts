import 'server-only'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { keepObjects } from '@/lib/server/mirror/keep'
import { mirrorPayments as payments } from '@/lib/server/store/schema/mirror-payments'
import { database } from '@/lib/server/store/store'
import { type Pass, read } from './call'

/** Maximum payments read per pass. */
const mostRead = 50
/** SQL condition: the payment was held more than a minute ago. For newer ones, a webhook is expected. */
const isOld = sql`coalesce(${payments.changedAt}, ${payments.createdAt}, '-infinity') < now() - interval '1 minute'`

/** Time before which a payment whose read failed is not read again (milliseconds since 1970), by id. */
const notBefore = new Map<string, number>()
const rest = 10 * 60_000

type Row = { id: string; type: string; account: string | null }

async function readOne(pass: Pass, { id, type, account }: Row): Promise<void> {
  const resource = type === 'charge' ? 'charges' : 'payouts'
  const seenAt = new Date()
  const { data } = await read(pass, `${resource}.get`, { id }, account)
  await keepObjects({ environment: pass.environment, resource, account, objects: [data as never], seenBy: 'sync', seenAt })
}

/** Codes of errors that concern one payment only. */
const ofOnePayment = /^service_(?:refused|not_found|failed)$/

/**
 * Reads the held payments of which the mirror has only the list form, one by one, newest first. A list does not contain the hold rule and
 * the documents that can explain a hold. Throws `OutOfTime` and store errors. After a service error, a payment is read again later.
 */
export async function readHeld(pass: Pass): Promise<void> {
  for (const row of await rowsToRead(pass.environment)) {
    try {
      await readOne(pass, row)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      notBefore.set(row.id, Date.now() + rest)
      if (!ofOnePayment.test(error.code)) return
    }
  }
}

async function rowsToRead(environment: Environment): Promise<Row[]> {
  for (const [id, at] of notBefore) if (at < Date.now()) notBefore.delete(id)
  const db = await database()
  const rows = await db
    .select({ id: payments.id, type: payments.paymentType, account: payments.accountId })
    .from(payments)
    .where(and(eq(payments.environment, environment), eq(payments.status, 'on_hold'), isNull(payments.record), isOld))
    .orderBy(sql`${payments.createdAt} desc nulls last`)
    .limit(mostRead + notBefore.size)
  return rows.filter(({ id }) => !notBefore.has(id)).slice(0, mostRead)
}
