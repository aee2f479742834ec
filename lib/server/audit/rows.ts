import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import { audit } from '@/lib/server/store/schema'

/** A field of a row's body; each that is filtered by has an index of this very expression. */
export const auditField = (name: string): SQL<string | null> => sql<string | null>`((${audit.body})::jsonb ->> ${sql.raw(`'${name}'`)})`

/** A row exactly as it is chained, on a line of its own. */
export const jsonLineOf = ({ seq, prev, hash, body }: typeof audit.$inferSelect): string => `${JSON.stringify({ seq, prev, hash, body })}\n`
