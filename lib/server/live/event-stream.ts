import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@/lib/errors'
import type { ChangedRows } from '@/lib/operations/changes'
import type { Environment } from '@/lib/operations/define'
import { getGrantedAccounts } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { StoreNotification } from '@/lib/server/store/notifications'
import { getStore } from '@/lib/server/store/store'
import { ChangeBuffer } from './change-buffer'

/** Milliseconds for which change notifications are collected into one message. */
const notificationGatherMs = 100
/** Each check of the session also sends a message, which keeps the connection open. */
const sessionCheckIntervalMs = 15_000
/** A new connection gets the notifications of this period: its page's data may be older. */
const replayWindowMs = 10_000
const reconnectDelayMs = 3000

/** The tabs of a browser share one connection. */
const maxStreamsPerPerson = 10
const streamCountByPerson = new Map<string, number>()

function registerOpenStream(person: string, signal: AbortSignal): void {
  const openCount = streamCountByPerson.get(person) ?? 0
  if (openCount >= maxStreamsPerPerson)
    throw new AppError('too_many', 'Too many of your windows follow changes', { retryAfter: 30 })
  streamCountByPerson.set(person, openCount + 1)
  signal.addEventListener('abort', () => {
    const remainingCount = (streamCountByPerson.get(person) ?? 1) - 1
    if (remainingCount > 0) streamCountByPerson.set(person, remainingCount)
    else streamCountByPerson.delete(person)
  })
}

/** `again` reads the person and their grants again, and throws if the session has ended. */
type EventStreamOptions = {
  environment: Environment
  actor: Actor
  again: () => Promise<Actor>
  signal: AbortSignal
}

const toEventMessage = (rows: readonly ChangedRows[]): string => `data: ${JSON.stringify(rows)}\n\n`

/** If there are more, one null replaces them all. After a null, pages read everything again. */
const maxRecentNotifications = 1000
let recentNotifications: readonly { at: number; notice: StoreNotification | null }[] = []
let isListenerRegistered = false

/** Calls the listener for recent notifications too. Returns the unsubscribe function. */
async function listenToChanges(
  listener: (notification: StoreNotification | null, at: number) => void,
): Promise<() => void> {
  const { notices } = await getStore()
  const listRecentNotifications = () =>
    recentNotifications.filter(({ at }) => at > performance.now() - replayWindowMs)
  if (!isListenerRegistered) {
    notices.listen((notification) => {
      const earlierNotifications = listRecentNotifications()
      recentNotifications =
        earlierNotifications.length < maxRecentNotifications
          ? [...earlierNotifications, { at: performance.now(), notice: notification }]
          : [{ at: performance.now(), notice: null }]
    })
  }
  isListenerRegistered = true
  for (const { notice, at } of listRecentNotifications()) listener(notice, at)
  return notices.listen((notice) => listener(notice, performance.now()))
}

/** Throws if the session has ended. */
async function* streamMessages({
  environment,
  again,
  signal,
}: Omit<EventStreamOptions, 'actor'>): AsyncGenerator<string, void> {
  const buffer = new ChangeBuffer(environment)
  let wakeController = new AbortController()
  const unsubscribe = await listenToChanges((notification, at) => {
    buffer.add(notification, at)
    if (!buffer.isEmpty) wakeController.abort()
  })
  try {
    yield `retry: ${reconnectDelayMs}\n\n`
    while (!signal.aborted) {
      if (buffer.isEmpty)
        await wait(sessionCheckIntervalMs, null, {
          signal: AbortSignal.any([signal, wakeController.signal]),
        }).catch(() => {})
      if (!buffer.isEmpty) await wait(notificationGatherMs)
      wakeController = new AbortController()
      const { grants } = await again()
      const changedRows = buffer.take(getGrantedAccounts(grants, environment))
      // Pages refresh after 30 s without a message, so send an empty one while delivery works.
      if (changedRows.length > 0 || (await getStore()).notices.isDelivered())
        yield toEventMessage(changedRows)
    }
  } finally {
    unsubscribe()
  }
}

/** The stream ends with the session. Throws `too_many`. */
export function createEventStream({
  actor,
  environment,
  again,
  signal,
}: EventStreamOptions): ReadableStream<Uint8Array> {
  const endController = new AbortController()
  const endStream = () => endController.abort()
  registerOpenStream(actor.id, endController.signal)
  signal.addEventListener('abort', endStream)
  const messageStream = streamMessages({ environment, again, signal: endController.signal })
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      // An error means that the session ended or the store is unreachable. The stream closes, the
      // browser reconnects, and that request returns the error.
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
