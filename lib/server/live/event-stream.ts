import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@/lib/errors'
import type { ChangedRows } from '@/lib/operations/changes'
import type { Environment } from '@/lib/operations/define'
import { getGrantedAccounts } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { StoreNotification } from '@/lib/server/store/notifications'
import { store } from '@/lib/server/store/store'
import { ChangeBuffer } from './change-buffer'

/** Milliseconds for which notifications are collected into one message. */
const gatherMs = 100
/** Milliseconds between checks that the session is still valid. Each check also sends a message that keeps the connection open. */
const sessionCheckMs = 15_000
/** Milliseconds of past notifications that a new connection gets first, because its page may have been read before them. */
const replayWindowMs = 10_000
/** Milliseconds after which a browser reconnects. */
const retryMs = 3000

/** Maximum connections per person. The tabs of a browser share one. */
const maxStreamsPerPerson = 10
const openStreams = new Map<string, number>()

/** Counts a connection of a person until `signal` aborts. Throws `too_many` if the person has too many. */
function countStream(person: string, signal: AbortSignal): void {
  const openCount = openStreams.get(person) ?? 0
  if (openCount >= maxStreamsPerPerson) throw new AppError('too_many', 'Too many of your windows follow changes', { retryAfter: 30 })
  openStreams.set(person, openCount + 1)
  signal.addEventListener('abort', () => {
    const remaining = (openStreams.get(person) ?? 1) - 1
    if (remaining > 0) openStreams.set(person, remaining)
    else openStreams.delete(person)
  })
}

/** A connection. `again` reads the person and their grants again, and throws if the session has ended. */
type StreamOptions = { environment: Environment; actor: Actor; again: () => Promise<Actor>; signal: AbortSignal }

const toMessage = (rows: readonly ChangedRows[]): string => `data: ${JSON.stringify(rows)}\n\n`

/** Maximum recent notifications in memory. If there are more, they are replaced by one null, after which pages read everything again. */
const maxRecent = 1000
let recentNotifications: readonly { at: number; notice: StoreNotification | null }[] = []
let isRecording = false

/** Calls the listener for recent notifications and then for each new one. Returns the unsubscribe function. */
async function listenToChanges(listener: (notification: StoreNotification | null, at: number) => void): Promise<() => void> {
  const { notices } = await store()
  const listRecent = () => recentNotifications.filter(({ at }) => at > performance.now() - replayWindowMs)
  if (!isRecording) {
    notices.listen((notification) => {
      const earlierNotifications = listRecent()
      recentNotifications =
        earlierNotifications.length < maxRecent
          ? [...earlierNotifications, { at: performance.now(), notice: notification }]
          : [{ at: performance.now(), notice: null }]
    })
  }
  isRecording = true
  for (const { notice, at } of listRecent()) listener(notice, at)
  return notices.listen((notice) => listener(notice, performance.now()))
}

/** Yields the messages of a connection, until `signal` aborts. Throws if the session has ended. */
async function* streamMessages({ environment, again, signal }: Omit<StreamOptions, 'actor'>): AsyncGenerator<string, void> {
  const buffer = new ChangeBuffer(environment)
  let wakeController = new AbortController()
  const unsubscribe = await listenToChanges((notification, at) => {
    buffer.add(notification, at)
    if (!buffer.isEmpty) wakeController.abort()
  })
  try {
    yield `retry: ${retryMs}\n\n`
    while (!signal.aborted) {
      if (buffer.isEmpty) await wait(sessionCheckMs, null, { signal: AbortSignal.any([signal, wakeController.signal]) }).catch(() => {})
      if (!buffer.isEmpty) await wait(gatherMs)
      wakeController = new AbortController()
      const { grants } = await again()
      const rows = buffer.take(getGrantedAccounts(grants, environment))
      // A page refreshes if it gets no message for 30 s. An empty message prevents that while notifications are delivered.
      if (rows.length > 0 || (await store()).notices.isDelivered()) yield toMessage(rows)
    }
  } finally {
    unsubscribe()
  }
}

/** Returns a stream of server-sent events with the changes in an environment, until the session ends. Throws `too_many`. */
export function createEventStream({ actor, environment, again, signal }: StreamOptions): ReadableStream<Uint8Array> {
  const endController = new AbortController()
  const endStream = () => endController.abort()
  countStream(actor.id, endController.signal)
  signal.addEventListener('abort', endStream)
  const messageStream = streamMessages({ environment, again, signal: endController.signal })
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      // The session ended, or the store is unreachable. The browser reconnects and gets the error then.
      const { value } = await messageStream.next().catch(() => ({ value: undefined }))
      if (typeof value === 'string') return controller.enqueue(encoder.encode(value))
      endStream()
      controller.close()
    },
    cancel() {
      endStream()
      void messageStream.return()
    },
  })
}
