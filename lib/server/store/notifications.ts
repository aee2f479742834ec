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

/** `account` is null if unknown; `ids` is null if there are too many. */
export type RowsChangedNotification = {
  environment: Environment
  resource: Resource | DeskResource
  account: string | null
  ids: readonly string[] | null
  /** Id of the request whose response contained the change: its page needs no refresh. */
  shown_by: string | null
}

/**
 * Sent to all instances, the sender included, by PostgreSQL's LISTEN and NOTIFY. It contains ids
 * but no data, so receivers query the rows that they need.
 */
export type StoreNotification =
  | ({ about: 'rows' } & RowsChangedNotification)
  | { about: 'webhooks' }

/** Receives null whenever the connection starts to listen: earlier notifications may be lost. */
type NotificationListener = (notification: StoreNotification | null) => void

/** `listen` returns the unsubscribe function. `isDelivered`: notifications arrive at present. */
export type StoreNotifications = {
  listen: (listener: NotificationListener) => () => void
  isDelivered: () => boolean
  close: () => Promise<void>
}

const notificationChannel = 'paydesk'

/** PostgreSQL limits a notification to 8000 bytes. */
const maxNotificationIds = 100

/** The notification is sent when the transaction commits. */
export const buildNotifySql = (notification: StoreNotification): SQL =>
  sql`select pg_notify(${notificationChannel}, ${JSON.stringify(notification)})`

/**
 * Sends one notification per account. `changedRows` must have the columns `id` and `account`.
 * Notifies only if the surrounding statement reads the result of this subquery.
 */
export const buildPgNotifySql = (
  { environment, resource }: Pick<RowsChangedNotification, 'environment' | 'resource'>,
  changedRows: SQL,
  shownBy: string | null = null,
): SQL => sql`
  select pg_notify(${notificationChannel}, jsonb_build_object('about', 'rows', 'environment', ${environment}::text, 'resource', ${resource}::text,
    'account', account, 'shown_by', ${shownBy}::text, 'ids', case when count(*) <= ${maxNotificationIds} then jsonb_agg(id) end)::text)
  from ${changedRows} group by account`

/** Validated, because every client of the database can send any text on the channel. */
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

function parseNotification(payload: string): StoreNotification | null {
  try {
    return notificationSchema.parse(JSON.parse(payload)) as StoreNotification
  } catch {
    log.warn({ event: 'store.notice_malformed' })
    return null
  }
}

type PayloadListener = (payload: string | null) => void

/** Calls `subscribe` when the first listener is added. */
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

export const createEmbeddedNotifications = (pglite: PGlite): StoreNotifications => ({
  listen: createListenFunction(
    (heard) => void pglite.listen(notificationChannel, heard).then(() => heard(null)),
  ),
  isDelivered: () => true,
  close: async () => {},
})

/** A probe is a notification to ourselves that tests the connection. */
const retryDelayMs = 1000
const probeIntervalMs = 60_000
const probeTimeoutMs = 5000

/** Uses another connection than the one that listens. */
type SendNotification = (channel: string) => Promise<unknown>

type ListenConnection = {
  url: string
  notify: SendNotification
  heard: PayloadListener
  proven: () => void
  signal: AbortSignal
}

class ProbeNotDeliveredError extends Error {}

/**
 * Ends (resolves or rejects) when the connection is lost or a probe does not arrive. Without
 * probes, a dead connection looks like one without notifications. So does a connection pooler,
 * which accepts `listen` but delivers nothing.
 */
async function listenOnNewConnection({
  url,
  notify,
  heard,
  proven,
  signal,
}: ListenConnection): Promise<void> {
  const probeChannel = `paydesk_probe_${randomUUID().replaceAll('-', '')}`
  let probeArrivalController = new AbortController()
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
    message.channel === probeChannel
      ? probeArrivalController.abort()
      : heard(message.payload ?? ''),
  )
  const sendAndAwaitProbe = async () => {
    probeArrivalController = new AbortController()
    const isSent = await notify(probeChannel).then(
      () => true,
      () => false,
    )
    // The probe was not sent, because the database is busy: this connection may still be alive.
    if (!isSent) return
    await wait(probeTimeoutMs, null, {
      ref: false,
      signal: AbortSignal.any([signal, probeArrivalController.signal]),
    }).catch(() => {})
    if (signal.aborted) return
    if (!probeArrivalController.signal.aborted) throw new ProbeNotDeliveredError()
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

function createDeliveryState() {
  let isDeliveryWorking = true
  const setDeliveryWorking = (working: boolean): boolean => {
    if (working === isDeliveryWorking) return false
    isDeliveryWorking = working
    if (working) log.info({ event: 'store.notices_delivered' })
    else log.error({ event: 'store.notices_not_delivered' })
    return true
  }
  return { turn: setDeliveryWorking, isWorking: () => isDeliveryWorking }
}

/** Reopens a lost connection. `url` must lead to the server, not to a pooler. */
export function createServerNotifications(
  url: string,
  notify: SendNotification,
): StoreNotifications {
  const closeController = new AbortController()
  const { signal } = closeController
  const { turn, isWorking } = createDeliveryState()
  let listenPromise = Promise.resolve()
  /** Returns the milliseconds to wait before the next connection. */
  const listenUntilLost = async (notifyPayload: PayloadListener): Promise<number> => {
    let hasDelivered = false
    const onProbe = () => {
      hasDelivered = true
      // Delivery works again. Notifications that were sent while it did not work may be lost.
      if (turn(true)) notifyPayload(null)
    }
    const isTimedOut = await listenOnNewConnection({
      url,
      notify,
      heard: notifyPayload,
      proven: onProbe,
      signal,
    }).then(
      () => false,
      (error: unknown) => error instanceof ProbeNotDeliveredError,
    )
    if (!signal.aborted) turn(false)
    // If a new connection delivers no probe, the next one probably will not either: wait longer.
    return isTimedOut && !hasDelivered ? probeIntervalMs : retryDelayMs
  }
  const listenWithReconnect = async (notifyPayload: PayloadListener) => {
    while (!signal.aborted)
      await wait(await listenUntilLost(notifyPayload), null, { ref: false, signal }).catch(() => {})
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
