import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import { buildNotifyRowsSql } from '@/lib/server/store/notifications'
import { mirrorForgotten } from '@/lib/server/store/schema/mirror'
import { mirrorPayments } from '@/lib/server/store/schema/mirror-payments'
import { database } from '@/lib/server/store/store'
import { type MirroredResource, mirrorTables, toTableResource } from './mirrored'

/** Returns ids as an SQL array of uuids. Each id is a parameter of its own, so that the query planner sees the values. */
export const toUuidArray = (ids: readonly string[]): SQL => {
  const values = ids.map((id) => sql`${id}`)
  return sql`array[${sql.join(values, sql`, `)}]::uuid[]`
}

/** Returns a payment without the texts that people wrote about it. */
const removePaymentTexts = (object: SQL): SQL => sql`((${object} - 'status_history') #- '{status_details,message}')`

/** Returns a payment of a deleted customer: only the customer's id is left of their details. */
export const anonymizePayment = (object: SQL, customer: SQL): SQL =>
  sql`(${removePaymentTexts(object)} || jsonb_build_object('customer_details', jsonb_build_object('id', ${customer})))`

/**
 * Finds mirrored payments that contain one of the words, and removes from them the texts that people wrote. The next read from the service
 * stores these texts again.
 */
export async function forgetWords(environment: Environment, words: readonly string[]): Promise<void> {
  const db = await database()
  for (const word of words) {
    await db.execute(sql`update ${mirrorPayments} set object = ${removePaymentTexts(sql`object`)}, record = ${removePaymentTexts(sql`record`)}
      where environment = ${environment} and (strpos(object::text, ${word}) > 0 or strpos(record::text, ${word}) > 0)`)
  }
}

/**
 * Permanently deletes objects from the mirror and notifies all instances. Returns the number of deleted rows. For a customer, also removes
 * the personal data from their payments. A response that is still in flight is later stored without that data.
 */
export async function forgetObjects(environment: Environment, resource: MirroredResource, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const db = await database()
  const { table } = mirrorTables[resource]
  return db.transaction(async (tx) => {
    const changeRows = async (notifiedResource: MirroredResource, change: SQL) => {
      const { rows } = (await tx.execute(sql`
        with changed as (${change} returning id, account_id as account),
        told as materialized (${buildNotifyRowsSql({ environment, resource: notifiedResource }, sql`changed`)})
        select (select count(*) from changed)::int as changed from (select count(*) from told) told`)) as unknown as {
        rows: [{ changed: number }]
      }
      return rows[0].changed
    }
    if (resource === 'customers') {
      // Without the lock, a parallel write that does not see the deletion yet would restore the removed data.
      await tx.execute(sql`lock table ${mirrorPayments}, ${table} in share row exclusive mode`)
      await tx
        .insert(mirrorForgotten)
        .values(ids.map((id) => ({ environment, id })))
        .onConflictDoNothing()
      await changeRows(
        'payments',
        sql`update ${mirrorPayments} set object = ${anonymizePayment(sql`object`, sql`customer_id`)}, record = ${anonymizePayment(sql`record`, sql`customer_id`)}
          where environment = ${environment} and customer_id = any(${toUuidArray(ids)})`,
      )
    }
    return changeRows(
      toTableResource(resource),
      sql`delete from ${table} where environment = ${environment} and id = any(${toUuidArray(ids)})`,
    )
  })
}
