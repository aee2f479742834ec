import 'server-only'
import { randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'

/** This process among those that share the store. */
export const instance: string = randomUUID()

/** Seconds a process may hold an action: the longest its sending can take, and a margin for the commit after it. */
const seconds = { write: 45, upload: 75 }

/** The end of a lease that begins now, by the store's clock: instances need not agree on the time. */
export const leaseFor = (kind: keyof typeof seconds): SQL<Date> => sql<Date>`now() + make_interval(secs => ${seconds[kind]})`
