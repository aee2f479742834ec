import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import { openActionStates } from '@/lib/operations/answer'
import { type Environment, environments } from '@/lib/operations/define'
import { paymentStatuses } from '@/lib/operations/enumerations'
import { env } from '@/lib/server/config/env'
import { actions } from '@/lib/server/store/schema/actions'
import { targetClaims } from '@/lib/server/store/schema/desk'
import { mirrorPayments as payments } from '@/lib/server/store/schema/mirror-payments'
import { getDatabase } from '@/lib/server/store/store'
import { pruneBatchSize, startPruning } from '@/lib/server/store/upkeep'

const dayMs = 86_400_000

/** Midnight UTC. Older payments in a final state are deleted. Null keeps them permanently. */
export function getRetentionStart(): Date | null {
  const { mirrorKeepDays } = env()
  return mirrorKeepDays === null
    ? null
    : new Date((Math.floor(Date.now() / dayMs) - mirrorKeepDays) * dayMs)
}

const isFinalStatus = (status: string): boolean =>
  ['paid', 'failed', 'reversed', 'cancelled'].includes(status)
const toTextListSql = (texts: readonly string[]): SQL =>
  sql.join(
    texts.map((text) => sql`${text}`),
    sql`, `,
  )

export const openPaymentStatuses = paymentStatuses.filter((status) => !isFinalStatus(status))

/** SQL: in a final state and last changed before `since`. `row` is the alias of the payment. */
export const buildPastRetentionSql = (
  row: SQL,
  since: Date,
): SQL => sql`(${row}.created_at is not null and ${row}.status in (${toTextListSql(paymentStatuses.filter(isFinalStatus))})
  and greatest(${row}.created_at, ${row}.version_at, ${row}.changed_at) < ${since.toISOString()}::timestamptz)`

/** The two values that a `target` column can have for the payment `t`. */
const targetValuesSql = sql`('payouts/' || t.id::text, 'charges/' || t.id::text)`

/** Keeps payments with an open action, or with a claim of a person who works on them. */
async function prunePayments(environment: Environment): Promise<number> {
  const retentionStart = getRetentionStart()
  if (!retentionStart) return 0
  const db = await getDatabase()
  const { rows } = (await db.execute(sql`
    delete from ${payments} where environment = ${environment} and id in (
      select t.id from ${payments} t
      where t.environment = ${environment} and t.created_at < ${retentionStart.toISOString()}::timestamptz and ${buildPastRetentionSql(sql`t`, retentionStart)}
        and not exists (select from ${actions} a where a.environment = t.environment and a.target in ${targetValuesSql} and a.state in (${toTextListSql(openActionStates)}))
        and not exists (select from ${targetClaims} c where c.environment = t.environment and c.target in ${targetValuesSql} and c.ends_at > now())
      order by t.created_at nulls first limit ${pruneBatchSize} for update of t skip locked)
    returning id`)) as unknown as { rows: unknown[] }
  return rows.length
}

export const startPaymentPruning = () =>
  startPruning(
    'mirror_payments',
    environments.map((environment) => () => prunePayments(environment)),
  )
