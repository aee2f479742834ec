import 'server-only'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import { type SQL, sql } from 'drizzle-orm'
import { Client } from 'pg'
import * as z from 'zod'
import {
  type DeskResource,
  type Environment,
  environments,
  type Resource,
} from '@/lib/operations/define'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'

/**
 * Changed rows of one account. `account` is null if unknown; `ids` is null if there are too many.
 */
export type RowsChanged = {
  environment: Environment
  resource: Resource | DeskResource
  account: string | null
  ids: readonly string[] | null
  /**
   * Id of the request whose response already contained the change, because its page needs no
   * refresh; null if there is none.
   */
  shown_by: string | null
}

/**
 * A notification from one instance to all instances, itself included, by PostgreSQL's LISTEN and
 * NOTIFY. It contains ids but no data, so receivers query the rows that they need.
 */
export type StoreNotification = ({ about: 'rows' } & RowsChanged) | { about: 'webhooks' }

/**
 * Called with each notification. Called with null whenever the connection starts to listen, because
 * earlier notifications may be lost.
 */
type NotificationListener = (notification: StoreNotification | null) => void

/**
 * The notifications of all instances. `listen` adds a listener and returns the unsubscribe
 * function. `isDelivered` is false while notifications do not arrive.
 */
export type StoreNotifications = {
  listen: (listener: NotificationListener) => () => void
  isDelivered: () => boolean
  close: () => Promise<void>
}

const notificationChannel = 'paydesk'

/** Maximum ids in a notification, which PostgreSQL limits to 8000 bytes. */
const maxNotificationIds = 100

/** Returns the SQL that notifies all instances when the transaction commits. */
export const buildNotifySql = (notification: StoreNotification): SQL =>
  sql`select pg_notify(${notificationChannel}, ${JSON.stringify(notification)})`

/**
 * Returns a subquery that sends one notification per account about changed rows. The rows come from
 * another subquery with the columns `id` and `account`. PostgreSQL sends the notifications only if
 * the surrounding statement reads the result of this subquery.
 */
export const buildNotifyRowsSql = (
  { environment, resource }: Pick<RowsChanged, 'environment' | 'resource'>,
  changedRows: SQL,
  shownBy: string | null = null,
): SQL => sql`
  select pg_notify(${notificationChannel}, jsonb_build_object('about', 'rows', 'environment', ${environment}::text, 'resource', ${resource}::text,
    'account', account, 'shown_by', ${shownBy}::text, 'ids', case when count(*) <= ${maxNotificationIds} then jsonb_agg(id) end)::text)
  from ${changedRows} group by account`

/**
 * Notifications are validated, because every client of the database can send any text on the
 * channel.
 */
const notificationSchema = z.discriminatedUnion('about', [
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

/** Returns the notification in a payload; null, with a log line, if it is not valid. */
function parseNotification(payload: string): StoreNotification | null {
  try {
    return notificationSchema.parse(JSON.parse(payload)) as StoreNotification
  } catch {
    log.warn({ event: 'store.notice_malformed' })
    return null
  }
}

type PayloadListener = (payload: string | null) => void

/** Returns a `listen` function. Calls `subscribe` when the first listener is added. */
function createListenFunction(
  subscribe: (onPayload: PayloadListener) => void,
): StoreNotifications['listen'] {
  const listeners = new Set<NotificationListener>()
  let isSubscribed = false
  const onPayload: PayloadListener = (payload) => {
    const notification = payload === null ? null : parseNotification(payload)
    if (payload !== null && notification === null) return
    for (const listener of listeners) listener(notification)
  }
  return (listener) => {
    listeners.add(listener)
    if (!isSubscribed) subscribe(onPayload)
    isSubscribed = true
    return () => void listeners.delete(listener)
  }
}

/** Returns the notifications of the embedded store, which only one process uses. */
export const createEmbeddedNotifications = (pglite: PGlite): StoreNotifications => ({
  listen: createListenFunction(
    (heard) => void pglite.listen(notificationChannel, heard).then(() => heard(null)),
  ),
  isDelivered: () => true,
  close: async () => {},
})

/**
 * Milliseconds before a lost connection is reopened, and between two probes. A probe is a
 * notification to ourselves that tests the connection.
 */
const retryDelayMs = 1000
const probeIntervalMs = 60_000
/** Milliseconds after which a probe that did not arrive counts as lost. */
const probeTimeoutMs = 5000

/** Sends an empty notification to a channel. Uses another connection than the one that listens. */
type SendNotification = (channel: string) => Promise<unknown>

type ListenConnection = {
  url: string
  notify: SendNotification
  heard: PayloadListener
  /** Called each time a probe arrived. */
  proven: () => void
  signal: AbortSignal
}

/** Thrown if a probe did not arrive. */
class ProbeNotDeliveredError extends Error {}

/**
 * Listens for notifications on a separate connection. Ends (resolves or rejects) when the
 * connection is lost or a probe does not arrive. Without probes, a dead connection would look like
 * one without notifications. The same is true for a connection pooler, which accepts `listen` but
 * delivers nothing.
 */
async function listenOnNewConnection({
  url,
  notify,
  heard,
  proven,
  signal,
}: ListenConnection): Promise<void> {
  const probeChannel = `paydesk_probe_${randomUUID().replaceAll('-', '')}`
  let arrivalController = new AbortController()
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
    application_name: 'paydesk-notices',
  })
  client.on('error', (error) =>
    log.warn({ event: 'store.notices_lost', code: getErrorCode(error) }),
  )
  client.on('notification', (message) =>
    message.channel === probeChannel ? arrivalController.abort() : heard(message.payload ?? ''),
  )
  const sendAndAwaitProbe = async () => {
    arrivalController = new AbortController()
    const isSent = await notify(probeChannel).then(
      () => true,
      () => false,
    )
    // The probe was not sent, because the database is busy or unavailable. That does not show that
    // this connection is dead.
    if (!isSent) return
    await wait(probeTimeoutMs, null, {
      ref: false,
      signal: AbortSignal.any([signal, arrivalController.signal]),
    }).catch(() => {})
    if (signal.aborted) return
    if (!arrivalController.signal.aborted) throw new ProbeNotDeliveredError()
    proven()
  }
  const probeRepeatedly = async () => {
    for (;;) {
      await sendAndAwaitProbe()
      await wait(probeIntervalMs, null, { ref: false, signal })
    }
  }
  try {
    await client.connect()
    await client.query(`listen ${notificationChannel}; listen ${probeChannel}`)
    heard(null)
    await Promise.race([once(client, 'end', { signal }), probeRepeatedly()])
  } finally {
    await client.end()
  }
}

/** Stores whether the last probe arrived; true before the first one. Logs each change. */
function createDeliveryState() {
  let isWorking = true
  const setWorking = (working: boolean): boolean => {
    if (working === isWorking) return false
    isWorking = working
    if (working) log.info({ event: 'store.notices_delivered' })
    else log.error({ event: 'store.notices_not_delivered' })
    return true
  }
  return { turn: setWorking, isWorking: () => isWorking }
}

/**
 * Returns the notifications of a PostgreSQL server. Reopens a lost connection. `url` must lead to
 * the server, not to a pooler.
 */
export function createServerNotifications(
  url: string,
  notify: SendNotification,
): StoreNotifications {
  const closeController = new AbortController()
  const { signal } = closeController
  const { turn, isWorking } = createDeliveryState()
  let listenPromise = Promise.resolve()
  /**
   * Listens until the connection is lost. Returns the milliseconds to wait before the next
   * connection.
   */
  const listenUntilLost = async (heard: PayloadListener): Promise<number> => {
    let hasDelivered = false
    const onProbe = () => {
      hasDelivered = true
      // Delivery works again. Notifications that were sent in the meantime may be lost.
      if (turn(true)) heard(null)
    }
    const isTimedOut = await listenOnNewConnection({
      url,
      notify,
      heard,
      proven: onProbe,
      signal,
    }).then(
      () => false,
      (error: unknown) => error instanceof ProbeNotDeliveredError,
    )
    if (!signal.aborted) turn(false)
    // If a new connection delivers no probe, the next one probably will not either. So wait longer
    // before the next try.
    return isTimedOut && !hasDelivered ? probeIntervalMs : retryDelayMs
  }
  const listenWithReconnect = async (heard: PayloadListener) => {
    while (!signal.aborted)
      await wait(await listenUntilLost(heard), null, { ref: false, signal }).catch(() => {})
  }
  return {
    listen: createListenFunction((heard) => {
      listenPromise = listenWithReconnect(heard)
    }),
    isDelivered: isWorking,
    close: () => {
      closeController.abort()
      return listenPromise
    },
  }
}
