import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import { audit } from '@/lib/server/store/schema/audit'

/** SQL expression for a field of a row's body. Each field that is filtered by has an index on exactly this expression. */
export const auditField = (name: string): SQL<string | null> => sql<string | null>`((${audit.body})::jsonb ->> ${sql.raw(`'${name}'`)})`

/** Returns a row exactly as it is chained, as one line. */
export const jsonLineOf = ({ seq, prev, hash, body }: typeof audit.$inferSelect): string => `${JSON.stringify({ seq, prev, hash, body })}\n`
