import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import { buildPgNotifySql } from '@/lib/server/store/notifications'
import { mirrorDeletedCustomers } from '@/lib/server/store/schema/mirror'
import { mirrorPayments } from '@/lib/server/store/schema/mirror-payments'
import { getDatabase } from '@/lib/server/store/store'
import { type MirroredResource, mirrorTables, toMirrorTableResource } from './mirrored'

/** Uses one parameter per id, so that the query planner sees the values. */
export const toUuidArraySql = (ids: readonly string[]): SQL => {
  const idParameters = ids.map((id) => sql`${id}`)
  return sql`array[${sql.join(idParameters, sql`, `)}]::uuid[]`
}

const buildPaymentWithoutTextsSql = (object: SQL): SQL =>
  sql`((${object} - 'status_history') #- '{status_details,message}')`

/** Shown in place of the name. */
const deletedCustomerName = 'Deleted customer'

export const buildAnonymizedPaymentSql = (object: SQL, customer: SQL): SQL =>
  sql`(${buildPaymentWithoutTextsSql(object)} || jsonb_build_object('customer_details', jsonb_build_object('id', ${customer}, 'name', ${deletedCustomerName}::text)))`

/**
 * Removes the texts of mirrored payments that contain one of the words. If such a payment is read
 * from the service again, its texts are stored again.
 */
export async function removePaymentTextsWithWords(
  environment: Environment,
  words: readonly string[],
): Promise<void> {
  const db = await getDatabase()
  for (const word of words) {
    await db.execute(sql`update ${mirrorPayments} set object = ${buildPaymentWithoutTextsSql(sql`object`)}, record = ${buildPaymentWithoutTextsSql(sql`record`)}
      where environment = ${environment} and (strpos(object::text, ${word}) > 0 or strpos(record::text, ${word}) > 0)`)
  }
}

/**
 * For a customer, also removes the personal data from their payments. If a response with that data
 * is still in flight, it is later stored without the data.
 */
export async function deleteMirroredObjects(
  environment: Environment,
  resource: MirroredResource,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0
  const db = await getDatabase()
  const { table } = mirrorTables[resource]
  return db.transaction(async (tx) => {
    const changeRowsAndNotify = async (
      notifiedResource: MirroredResource,
      changeStatement: SQL,
    ) => {
      const { rows } = (await tx.execute(sql`
        with changed as (${changeStatement} returning id, account_id as account),
        told as materialized (${buildPgNotifySql({ environment, resource: notifiedResource }, sql`changed`)})
        select (select count(*) from changed)::int as changed from (select count(*) from told) told`)) as unknown as {
        rows: [{ changed: number }]
      }
      return rows[0].changed
    }
    if (resource === 'customers') {
      // Without the lock, a parallel write could store the removed data again, because it does not
      // see this transaction yet.
      await tx.execute(sql`lock table ${mirrorPayments}, ${table} in share row exclusive mode`)
      await tx
        .insert(mirrorDeletedCustomers)
        .values(ids.map((id) => ({ environment, id })))
        .onConflictDoNothing()
      await changeRowsAndNotify(
        'payments',
        sql`update ${mirrorPayments} set object = ${buildAnonymizedPaymentSql(sql`object`, sql`customer_id`)}, record = ${buildAnonymizedPaymentSql(sql`record`, sql`customer_id`)}
          where environment = ${environment} and customer_id = any(${toUuidArraySql(ids)})`,
      )
    }
    return changeRowsAndNotify(
      toMirrorTableResource(resource),
      sql`delete from ${table} where environment = ${environment} and id = any(${toUuidArraySql(ids)})`,
    )
  })
}
