import type { Query } from '@tanstack/react-query'
import { isSessionOver } from '@/lib/client/connection-status'
import {
  getCurrentQueryClient,
  getFetchStartTime,
  invalidateReads,
} from '@/lib/client/query/client'
import { queueCountsQuery } from '@/lib/client/query/queue-counts'
import { type ChangedRows, everythingChanged } from '@/lib/operations/changes'
import type { Environment } from '@/lib/operations/define'
import { deskApiPath, eventsPath } from '@/lib/routes'
import { type IsChanged, notifyChangeListeners, subscribeToChanges } from './change-listeners'
import { isStaleAfterChange } from './is-stale'

/**
 * Milliseconds without a message after which everything is refetched. The server sends a message at
 * least every 15 seconds.
 */
const silenceTimeout = 30_000
/**
 * Milliseconds between the end of a refetch and the next one, and the maximum milliseconds to wait
 * for that end.
 */
const refetchPause = 250
const refetchTimeout = 5000
/** If more changes than this are pending, everything is refetched. */
const maxPending = 100

type ChangedRowSets = readonly ChangedRows[]

/** A change, and the time at which it became known (`performance.now()`). */
type ReceivedChange = { change: ChangedRows; at: number }

let environment: Environment | undefined
let pendingChanges: readonly ReceivedChange[] = []
let busyUntil = 0
let isPollDue = false
let silenceTimer: ReturnType<typeof setTimeout> | undefined

/**
 * Notifies the listeners of changes. While the page is hidden or refetches, collects the changes
 * for one later notification.
 */
async function notifyChanges(rows: ChangedRowSets): Promise<void> {
  const receivedChanges = (pendingChanges.length > maxPending ? [everythingChanged] : rows).map(
    (change) => ({
      change,
      at: performance.now() - change.ago,
    }),
  )
  pendingChanges =
    pendingChanges.length > maxPending ? receivedChanges : [...pendingChanges, ...receivedChanges]
  if (performance.now() < busyUntil || document.hidden || pendingChanges.length === 0) return
  busyUntil = performance.now() + refetchTimeout
  const batch = pendingChanges
  const isChanged: IsChanged = (key, requestId, askedAt = 0) =>
    key[0] === environment &&
    batch.some(({ change, at }) => askedAt <= at && isStaleAfterChange(change, key, requestId))
  pendingChanges = []
  await notifyChangeListeners(isChanged)
  setTimeout(() => {
    busyUntil = 0
    void notifyChanges([])
  }, refetchPause)
}

function receiveChanges(rows: ChangedRowSets): void {
  isPollDue = false
  restartSilenceTimer()
  void notifyChanges(rows)
}

function restartSilenceTimer(): void {
  clearTimeout(silenceTimer)
  silenceTimer = setTimeout(pollForChanges, silenceTimeout)
}

/**
 * Refetches everything if the event stream is silent, unless the session has ended: a refresh would
 * then lose typed text.
 */
async function pollForChanges(): Promise<void> {
  restartSilenceTimer()
  if (isSessionOver()) return
  isPollDue = document.hidden
  if (isPollDue || !environment) return
  const countsRequest = getCurrentQueryClient()?.fetchQuery({
    ...queueCountsQuery({ environment, account: null }),
    staleTime: 0,
  })
  await countsRequest?.then(
    () => notifyChanges([everythingChanged]),
    () => undefined,
  )
}

/**
 * Opens the event stream and forwards its messages to all tabs. It stays open until the page is
 * closed.
 */
function shareConnection(
  streamEnvironment: Environment,
  tabs: BroadcastChannel,
  onChanges: (rows: ChangedRowSets) => void,
): void {
  let eventSource: EventSource | undefined
  let lastMessageAt = 0
  let hasMissedMessages = false
  const forwardRows = (rows: ChangedRowSets) => {
    lastMessageAt = performance.now()
    tabs.postMessage(rows)
    onChanges(rows)
  }
  const openStream = () => {
    eventSource?.close()
    eventSource = new EventSource(deskApiPath(streamEnvironment, eventsPath))
    eventSource.onmessage = ({ data }) => forwardRows(JSON.parse(data))
    eventSource.onerror = () => {
      hasMissedMessages = true
    }
    eventSource.onopen = () => {
      if (hasMissedMessages) forwardRows([everythingChanged])
      hasMissedMessages = false
    }
  }
  openStream()
  // The browser reconnects after a lost connection, but not after a refused one. It does not detect
  // a connection without messages.
  setInterval(
    () => performance.now() >= lastMessageAt + silenceTimeout && !isSessionOver() && openStream(),
    silenceTimeout,
  )
  // A new tab posts `null`. It may have missed changes, so the stream is opened again: the server
  // then first sends recent changes.
  tabs.addEventListener('message', ({ data }) => data || openStream())
}

/**
 * Receives the changes of an environment. All tabs share one connection, in the tab that holds the
 * lock. A browser without the Web Locks API has no connection and polls.
 */
function followEnvironment(streamEnvironment: Environment): void {
  const tabChannel = new BroadcastChannel(`paydesk-${streamEnvironment}`)
  const handleTabRows = (rows: ChangedRowSets) =>
    streamEnvironment === environment && receiveChanges(rows)
  tabChannel.onmessage = ({ data }) => data && handleTabRows(data)
  tabChannel.postMessage(null)
  // The promise never resolves, so the tab holds the lock until it is closed. Then the next tab
  // gets the lock and opens a connection.
  void navigator.locks?.request(
    tabChannel.name,
    () => new Promise(() => shareConnection(streamEnvironment, tabChannel, handleTabRows)),
  )
}

const getRequestId = (data: unknown) =>
  (data as { meta?: { request_id?: string } } | undefined)?.meta?.request_id

const followedEnvironments = new Set<string>()

/** Refetches the reads on the screen that may be stale after a change, and the queue counts. */
const refetchChangedReads = async (isChanged: IsChanged): Promise<void> => {
  const client = getCurrentQueryClient()
  const predicate = (query: Query) =>
    query.queryKey[0] === environment &&
    (query.queryKey[2] === 'queue_counts' ||
      isChanged(query.queryKey, getRequestId(query.state.data), getFetchStartTime(query)))
  if (client) await invalidateReads(client, { predicate })
}

/** Follows the changes of an environment until the page is closed. */
export function followChanges(pageEnvironment: Environment): void {
  if (followedEnvironments.size === 0) {
    subscribeToChanges(refetchChangedReads)
    document.addEventListener(
      'visibilitychange',
      () => void (isPollDue ? pollForChanges() : notifyChanges([])),
    )
  }
  environment = pageEnvironment
  pendingChanges = []
  restartSilenceTimer()
  if (!followedEnvironments.has(pageEnvironment)) followEnvironment(pageEnvironment)
  followedEnvironments.add(pageEnvironment)
}
