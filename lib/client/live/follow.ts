import type { Query } from '@tanstack/react-query'
import { isSessionOver } from '@/lib/client/connection-status'
import { currentQueryClient, fetchStartedAt, invalidateReads } from '@/lib/client/query/client'
import { queueCountsQuery } from '@/lib/client/query/queue-counts'
import { type ChangedRows, everythingChanged } from '@/lib/operations/changes'
import type { Environment } from '@/lib/operations/define'
import { deskApiPath, eventsPath } from '@/lib/routes'
import { type IsChanged, notifyChangeListeners, subscribeToChanges } from './change-listeners'
import { isStaleAfterChange } from './is-stale'

/** Milliseconds without a message after which everything is refetched. The server sends a message at least every 15 seconds. */
const silenceTimeout = 30_000
/** Milliseconds to wait after a refetch before the next one, and the maximum time to wait for a refetch. */
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
let timer: ReturnType<typeof setTimeout> | undefined

/** Notifies the page of changes, if it is visible. Changes that arrive during a refetch are collected, and sent together afterward. */
async function notifyChanges(rows: ChangedRowSets): Promise<void> {
  const receivedChanges = (pendingChanges.length > maxPending ? [everythingChanged] : rows).map((change) => ({
    change,
    at: performance.now() - change.ago,
  }))
  pendingChanges = pendingChanges.length > maxPending ? receivedChanges : [...pendingChanges, ...receivedChanges]
  if (performance.now() < busyUntil || document.hidden || pendingChanges.length === 0) return
  busyUntil = performance.now() + refetchTimeout
  const batch = pendingChanges
  const isChanged: IsChanged = (key, requestId, askedAt = 0) =>
    key[0] === environment && batch.some(({ change, at }) => askedAt <= at && isStaleAfterChange(change, key, requestId))
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
  clearTimeout(timer)
  timer = setTimeout(poll, silenceTimeout)
}

/** Refetches everything if the event stream is silent, unless the session has ended: a refresh would then lose typed text. */
async function poll(): Promise<void> {
  restartSilenceTimer()
  if (isSessionOver()) return
  isPollDue = document.hidden
  if (isPollDue || !environment) return
  const countsRequest = currentQueryClient()?.fetchQuery({ ...queueCountsQuery({ environment, account: null }), staleTime: 0 })
  await countsRequest?.then(
    () => notifyChanges([everythingChanged]),
    () => undefined,
  )
}

/** Opens the event stream and forwards its messages to all tabs. It stays open until the page is closed. */
function shareConnection(streamEnvironment: Environment, tabs: BroadcastChannel, onChanges: (rows: ChangedRowSets) => void): void {
  let eventSource: EventSource | undefined
  let at = 0
  let missed = false
  const forwardRows = (rows: ChangedRowSets) => {
    at = performance.now()
    tabs.postMessage(rows)
    onChanges(rows)
  }
  const openStream = () => {
    eventSource?.close()
    eventSource = new EventSource(deskApiPath(streamEnvironment, eventsPath))
    eventSource.onmessage = ({ data }) => forwardRows(JSON.parse(data))
    eventSource.onerror = () => {
      missed = true
    }
    eventSource.onopen = () => {
      if (missed) forwardRows([everythingChanged])
      missed = false
    }
  }
  openStream()
  // The browser reconnects after a lost connection, but not after a refused one, and does not detect a silent one.
  setInterval(() => performance.now() >= at + silenceTimeout && !isSessionOver() && openStream(), silenceTimeout)
  // A new tab may have missed recent changes. A new connection first receives them.
  tabs.addEventListener('message', ({ data }) => data || openStream())
}

/** Follows an environment. All tabs share one connection, in the tab that holds the lock. A browser without the Web Locks API polls. */
function followEnvironment(streamEnvironment: Environment): void {
  const tabChannel = new BroadcastChannel(`paydesk-${streamEnvironment}`)
  const handleTabRows = (rows: ChangedRowSets) => streamEnvironment === environment && receiveChanges(rows)
  tabChannel.onmessage = ({ data }) => data && handleTabRows(data)
  tabChannel.postMessage(null)
  // The lock is never released: it ends when the page is closed.
  void navigator.locks?.request(tabChannel.name, () => new Promise(() => shareConnection(streamEnvironment, tabChannel, handleTabRows)))
}

const getRequestId = (data: unknown) => (data as { meta?: { request_id?: string } } | undefined)?.meta?.request_id

const followedEnvironments = new Set<string>()

/** Refetches the reads on the screen that may be stale after a change, and the queue counts. */
const refetchChanged = async (isChanged: IsChanged): Promise<void> => {
  const client = currentQueryClient()
  const predicate = (query: Query) =>
    query.queryKey[0] === environment &&
    (query.queryKey[2] === 'queue_counts' || isChanged(query.queryKey, getRequestId(query.state.data), fetchStartedAt(query)))
  if (client) await invalidateReads(client, { predicate })
}

/** Follows the changes of an environment until the page is closed. */
export function followChanges(pageEnvironment: Environment): void {
  if (followedEnvironments.size === 0) {
    subscribeToChanges(refetchChanged)
    document.addEventListener('visibilitychange', () => void (isPollDue ? poll() : notifyChanges([])))
  }
  environment = pageEnvironment
  pendingChanges = []
  restartSilenceTimer()
  if (!followedEnvironments.has(pageEnvironment)) followEnvironment(pageEnvironment)
  followedEnvironments.add(pageEnvironment)
}
