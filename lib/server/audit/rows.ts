import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import { audit } from '@/lib/server/store/schema/audit'

/**
 * Returns the SQL for a field of an audit row's body. Do not change the SQL: the indexes for
 * filters are on exactly this expression.
 */
export const toAuditFieldSql = (name: string): SQL<string | null> =>
  sql<string | null>`((${audit.body})::jsonb ->> ${sql.raw(`'${name}'`)})`

/** Returns an audit row as one line of JSON, with the body exactly as it was hashed. */
export const toJsonLine = ({ seq, prev, hash, body }: typeof audit.$inferSelect): string =>
  `${JSON.stringify({ seq, prev, hash, body })}\n`
