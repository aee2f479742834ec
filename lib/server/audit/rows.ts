import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import { audit } from '@/lib/server/store/schema/audit'

/** Do not change this SQL: the indexes for filters are on exactly this expression. */
export const toAuditFieldSql = (name: string): SQL<string | null> =>
  sql<string | null>`((${audit.body})::jsonb ->> ${sql.raw(`'${name}'`)})`

/** The body stays exactly as it was hashed. */
export const toJsonLine = ({ seq, prev, hash, body }: typeof audit.$inferSelect): string =>
  `${JSON.stringify({ seq, prev, hash, body })}\n`
