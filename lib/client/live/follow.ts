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
import {
  notifyChangeListeners,
  type QueryChangePredicate,
  subscribeToChanges,
} from './change-listeners'
import { isStaleAfterChange } from './is-stale'

/** Milliseconds of silence before a full refetch. The server sends at least every 15 seconds. */
const silenceTimeoutMs = 30_000
/**
 * `refetchPauseMs`: milliseconds between the end of a refetch and the next one. `refetchTimeoutMs`: the
 * most milliseconds to wait for that end.
 */
const refetchPauseMs = 250
const refetchTimeoutMs = 5000
/** If more changes than this are pending, everything is refetched. */
const maxPendingChanges = 100

type ChangedRowSets = readonly ChangedRows[]

/** A change, and the time at which it became known (`performance.now()`). */
type ReceivedChange = { change: ChangedRows; at: number }

let followedEnvironment: Environment | undefined
let pendingChanges: readonly ReceivedChange[] = []
let refetchBusyUntil = 0
let isPollDue = false
let silenceTimer: ReturnType<typeof setTimeout> | undefined

/**
 * Collects changes for one later notification while the page is hidden or refetches. After the
 * session has ended, nothing is refetched: a new sign-in refetches everything.
 */
async function notifyChanges(rows: ChangedRowSets): Promise<void> {
  const receivedChanges = (
    pendingChanges.length > maxPendingChanges ? [everythingChanged] : rows
  ).map((change) => ({
    change,
    at: performance.now() - change.ago,
  }))
  pendingChanges =
    pendingChanges.length > maxPendingChanges
      ? receivedChanges
      : [...pendingChanges, ...receivedChanges]
  const mustWait = performance.now() < refetchBusyUntil || document.hidden || isSessionOver()
  if (mustWait || pendingChanges.length === 0) return
  refetchBusyUntil = performance.now() + refetchTimeoutMs
  const changeBatch = pendingChanges
  const isChanged: QueryChangePredicate = (key, requestId, askedAt = 0) =>
    key[0] === followedEnvironment &&
    changeBatch.some(
      ({ change, at }) => askedAt <= at && isStaleAfterChange(change, key, requestId),
    )
  pendingChanges = []
  await notifyChangeListeners(isChanged)
  setTimeout(() => {
    refetchBusyUntil = 0
    void notifyChanges([])
  }, refetchPauseMs)
}

function receiveChanges(rows: ChangedRowSets): void {
  isPollDue = false
  restartSilenceTimer()
  void notifyChanges(rows)
}

function restartSilenceTimer(): void {
  clearTimeout(silenceTimer)
  silenceTimer = setTimeout(pollForChanges, silenceTimeoutMs)
}

/**
 * Refetches everything, but not after the session has ended: the page would then be refreshed
 * without a session, and typed text would be lost.
 */
async function pollForChanges(): Promise<void> {
  restartSilenceTimer()
  if (isSessionOver()) return
  isPollDue = document.hidden
  if (isPollDue || !followedEnvironment) return
  const queueCountsRequest = getCurrentQueryClient()?.fetchQuery({
    ...queueCountsQuery({ environment: followedEnvironment, account: null }),
    staleTime: 0,
  })
  await queueCountsRequest?.then(
    () => notifyChanges([everythingChanged]),
    () => undefined,
  )
}

/** Forwards the messages of one event stream to all tabs. */
function shareEventStream(
  streamEnvironment: Environment,
  tabs: BroadcastChannel,
  onChanges: (rows: ChangedRowSets) => void,
): void {
  let eventSource: EventSource | undefined
  let lastMessageAt = 0
  let hasMissedMessages = false
  const forwardChanges = (rows: ChangedRowSets) => {
    lastMessageAt = performance.now()
    tabs.postMessage(rows)
    onChanges(rows)
  }
  const openStream = () => {
    eventSource?.close()
    eventSource = new EventSource(deskApiPath(streamEnvironment, eventsPath))
    eventSource.onmessage = ({ data }) => forwardChanges(JSON.parse(data))
    eventSource.onerror = () => {
      hasMissedMessages = true
    }
    eventSource.onopen = () => {
      if (hasMissedMessages) forwardChanges([everythingChanged])
      hasMissedMessages = false
    }
  }
  openStream()
  // Opens the stream again after a silence: the browser does not reconnect after a refusal, and
  // does not detect a silent connection.
  setInterval(
    () => performance.now() >= lastMessageAt + silenceTimeoutMs && !isSessionOver() && openStream(),
    silenceTimeoutMs,
  )
  // A new tab posts `null`. It may have missed changes, so the stream is opened again: the server
  // then first sends recent changes.
  tabs.addEventListener('message', ({ data }) => data || openStream())
}

/** All tabs share one connection, in the tab that holds the lock. Without Web Locks, they poll. */
function followEnvironment(streamEnvironment: Environment): void {
  const tabChannel = new BroadcastChannel(`paydesk-${streamEnvironment}`)
  const handleChangedRows = (rows: ChangedRowSets) =>
    streamEnvironment === followedEnvironment && receiveChanges(rows)
  tabChannel.onmessage = ({ data }) => data && handleChangedRows(data)
  tabChannel.postMessage(null)
  // The promise never resolves, so the tab holds the lock until it is closed. Then the next tab
  // gets the lock and opens a connection.
  void navigator.locks?.request(
    tabChannel.name,
    () => new Promise(() => shareEventStream(streamEnvironment, tabChannel, handleChangedRows)),
  )
}

const getRequestId = (data: unknown) =>
  (data as { meta?: { request_id?: string } } | undefined)?.meta?.request_id

const followedEnvironments = new Set<string>()

const refetchChangedReads = async (isChanged: QueryChangePredicate): Promise<void> => {
  const queryClient = getCurrentQueryClient()
  const isChangedQuery = (query: Query) =>
    query.queryKey[0] === followedEnvironment &&
    (query.queryKey[2] === 'queue_counts' ||
      isChanged(query.queryKey, getRequestId(query.state.data), getFetchStartTime(query)))
  if (queryClient) await invalidateReads(queryClient, { predicate: isChangedQuery })
}

export function followChanges(pageEnvironment: Environment): void {
  if (followedEnvironments.size === 0) {
    subscribeToChanges(refetchChangedReads)
    document.addEventListener(
      'visibilitychange',
      () => void (isPollDue ? pollForChanges() : notifyChanges([])),
    )
  }
  followedEnvironment = pageEnvironment
  pendingChanges = []
  restartSilenceTimer()
  if (!followedEnvironments.has(pageEnvironment)) followEnvironment(pageEnvironment)
  followedEnvironments.add(pageEnvironment)
}
