import 'server-only'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import { type SQL, sql } from 'drizzle-orm'
import { Client } from 'pg'
import * as z from 'zod'
import { type DeskResource, type Environment, environments, type Resource } from '@/lib/operations/define'
import { log } from '@/lib/server/log'

/** Rows that changed, all of one account; null where nobody knows whose they are, and for `ids` where they are too many to name. */
export type RowsChanged = {
  environment: Environment
  resource: Resource | DeskResource
  account: string | null
  ids: readonly string[] | null
  /** The request whose answer showed it first. */
  shown_by: string | null
}

/** What one instance tells all others and itself: ids at most, because whoever wants more asks. */
export type Notice = ({ about: 'rows' } & RowsChanged) | { about: 'webhooks' }

/** Null comes whenever the listening begins: what was told before is lost, and may have been anything. */
type Listener = (notice: Notice | null) => void

/** Passes the notices of all instances on to who listens in this process. `listen` gives the way to stop. */
export type Notices = { listen: (listener: Listener) => () => void; close: () => Promise<void> }

const channel = 'paydesk'

/** The store takes 8000 bytes at most. */
const mostIds = 100

/** Tells all instances, once the transaction is committed. */
export const noticeOf = (notice: Notice): SQL => sql`select pg_notify(${channel}, ${JSON.stringify(notice)})`

/** The same as part of a statement, of the rows in `changed`, which has `id` and `account`. It is run where somebody reads it. */
export const noticesOfRows = (
  { environment, resource }: Pick<RowsChanged, 'environment' | 'resource'>,
  changed: SQL,
  shownBy: string | null = null,
): SQL => sql`
  select pg_notify(${channel}, jsonb_build_object('about', 'rows', 'environment', ${environment}::text, 'resource', ${resource}::text,
    'account', account, 'shown_by', ${shownBy}::text, 'ids', case when count(*) <= ${mostIds} then jsonb_agg(id) end)::text)
  from ${changed} group by account`

/** Every client of the database can send any text on the channel. */
const noticeSchema = z.discriminatedUnion('about', [
  z.object({
    about: z.literal('rows'),
    environment: z.enum(environments),
    resource: z.string(),
    account: z.string().nullable(),
    ids: z.array(z.string()).nullable(),
    shown_by: z.string().nullable(),
  }),
  z.object({ about: z.literal('webhooks') }),
])

/** Parses a notification; returns null and writes a log line if it is not a notice. */
function noticeIn(payload: string): Notice | null {
  try {
    return noticeSchema.parse(JSON.parse(payload)) as Notice
  } catch {
    log.warn({ event: 'store.notice_malformed' })
    return null
  }
}

type Heard = (payload: string | null) => void

/** Listeners, of which the first has the listening begun. */
function passingOn(begin: (heard: Heard) => void): Notices['listen'] {
  const listeners = new Set<Listener>()
  let begun = false
  const heard: Heard = (payload) => {
    const notice = payload === null ? null : noticeIn(payload)
    if (payload !== null && notice === null) return
    for (const listener of listeners) listener(notice)
  }
  return (listener) => {
    listeners.add(listener)
    if (!begun) begin(heard)
    begun = true
    return () => void listeners.delete(listener)
  }
}

/** Those of the embedded store, which has one process. */
export const embeddedNotices = (pglite: PGlite): Notices => ({
  listen: passingOn((heard) => void pglite.listen(channel, heard).then(() => heard(null))),
  close: async () => {},
})

/** How soon a lost connection is made again, and how often one that is silent is tried (milliseconds). */
const again = 1000
const tried = 20_000

/** Tries a connection until it answers no more: one whose other end is gone stays silent for ever. */
async function untilLost(client: Client, signal: AbortSignal): Promise<void> {
  for (;;) {
    await wait(tried, null, { ref: false, signal })
    await client.query('select 1')
  }
}

/** Listens on a connection that does nothing else. Settles when it is lost. */
async function listenOnce(connectionString: string, heard: Heard, signal: AbortSignal): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5000, query_timeout: 5000, application_name: 'paydesk-notices' })
  client.on('error', () => log.warn({ event: 'store.notices_lost' }))
  client.on('notification', ({ payload = '' }) => heard(payload))
  try {
    await client.connect()
    await client.query(`listen ${channel}`)
    heard(null)
    await Promise.race([once(client, 'end', { signal }), untilLost(client, signal)])
  } finally {
    await client.end()
  }
}

/** Those of a server. A connection that is lost is made again. */
export function serverNotices(connectionString: string): Notices {
  const closing = new AbortController()
  const { signal } = closing
  let over = Promise.resolve()
  const listenAlways = async (heard: Heard) => {
    while (!signal.aborted) {
      await listenOnce(connectionString, heard, signal).catch(() => {})
      await wait(again, null, { ref: false, signal }).catch(() => {})
    }
  }
  return {
    listen: passingOn((heard) => {
      over = listenAlways(heard)
    }),
    close: () => {
      closing.abort()
      return over
    },
  }
}
