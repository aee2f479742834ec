import type { Query } from '@tanstack/react-query'
import { isSessionOver } from '@/lib/client/connection-status'
import { currentQueryClient, fetchStartedAt, invalidate } from '@/lib/client/query/client'
import { readQueueCounts } from '@/lib/client/query/queue-counts'
import { anything, type ChangedRows } from '@/lib/operations/changes'
import type { Environment } from '@/lib/operations/define'
import { deskApiPath, eventsPath } from '@/lib/routes'
import { type IsChanged, onChanged, tellChanged } from './changed'
import { isStaleBy } from './is-stale'

/** Milliseconds without a message after which everything is refetched. The server sends a message at least every 15 seconds. */
const silence = 30_000
/** Milliseconds to wait after a refetch before the next one, and the maximum time to wait for a refetch. */
const rest = 250
const patience = 5000
/** If more changes than this are pending, everything is refetched. */
const maxPending = 100

type Rows = readonly ChangedRows[]

/** A change, and the time at which it became known (`performance.now()`). */
type Heard = { change: ChangedRows; at: number }

let environment: Environment | undefined
let waiting: readonly Heard[] = []
let busyUntil = 0
let isDue = false
let timer: ReturnType<typeof setTimeout> | undefined

/** Notifies the page of changes, if it is visible. Changes that arrive during a refetch are collected, and sent together afterward. */
async function notifyChanges(rows: Rows): Promise<void> {
  const heard = (waiting.length > maxPending ? [anything] : rows).map((change) => ({ change, at: performance.now() - change.ago }))
  waiting = waiting.length > maxPending ? heard : [...waiting, ...heard]
  if (performance.now() < busyUntil || document.hidden || waiting.length === 0) return
  busyUntil = performance.now() + patience
  const batch = waiting
  const isChanged: IsChanged = (key, requestId, askedAt = 0) =>
    key[0] === environment && batch.some(({ change, at }) => askedAt <= at && isStaleBy(change, key, requestId))
  waiting = []
  await tellChanged(isChanged)
  setTimeout(() => {
    busyUntil = 0
    void notifyChanges([])
  }, rest)
}

function hear(rows: Rows): void {
  isDue = false
  wait()
  void notifyChanges(rows)
}

function wait(): void {
  clearTimeout(timer)
  timer = setTimeout(poll, silence)
}

/** Refetches everything if the event stream is silent, unless the session has ended: a refresh would then lose typed text. */
async function poll(): Promise<void> {
  wait()
  if (isSessionOver()) return
  isDue = document.hidden
  if (isDue || !environment) return
  const counts = currentQueryClient()?.fetchQuery({ ...readQueueCounts({ environment, account: null }), staleTime: 0 })
  await counts?.then(
    () => notifyChanges([anything]),
    () => undefined,
  )
}

/** Opens the event stream and forwards its messages to all tabs. It stays open until the page is closed. */
function shareConnection(of: Environment, tabs: BroadcastChannel, heard: (rows: Rows) => void): void {
  let source: EventSource | undefined
  let at = 0
  let missed = false
  const pass = (rows: Rows) => {
    at = performance.now()
    tabs.postMessage(rows)
    heard(rows)
  }
  const open = () => {
    source?.close()
    source = new EventSource(deskApiPath(of, eventsPath))
    source.onmessage = ({ data }) => pass(JSON.parse(data))
    source.onerror = () => {
      missed = true
    }
    source.onopen = () => {
      if (missed) pass([anything])
      missed = false
    }
  }
  open()
  // The browser reconnects after a lost connection, but not after a refused one, and does not detect a silent one.
  setInterval(() => performance.now() >= at + silence && !isSessionOver() && open(), silence)
  // A new tab may have missed recent changes. A new connection first receives them.
  tabs.addEventListener('message', ({ data }) => data || open())
}

/** Follows an environment. All tabs share one connection, in the tab that holds the lock. A browser without the Web Locks API polls. */
function follow(of: Environment): void {
  const tabs = new BroadcastChannel(`paydesk-${of}`)
  const heard = (rows: Rows) => of === environment && hear(rows)
  tabs.onmessage = ({ data }) => data && heard(data)
  tabs.postMessage(null)
  // The lock is never released: it ends when the page is closed.
  void navigator.locks?.request(tabs.name, () => new Promise(() => shareConnection(of, tabs, heard)))
}

const requestOf = (data: unknown) => (data as { meta?: { request_id?: string } } | undefined)?.meta?.request_id

const followed = new Set<string>()

/** Refetches the reads on the screen that may be stale after a change, and the queue counts. */
const refetchChanged = async (isChanged: IsChanged): Promise<void> => {
  const client = currentQueryClient()
  const predicate = (query: Query) =>
    query.queryKey[0] === environment &&
    (query.queryKey[2] === 'queue_counts' || isChanged(query.queryKey, requestOf(query.state.data), fetchStartedAt(query)))
  if (client) await invalidate(client, { predicate })
}

/** Follows the changes of an environment until the page is closed. */
export function followChanges(of: Environment): void {
  if (followed.size === 0) {
    onChanged(refetchChanged)
    document.addEventListener('visibilitychange', () => void (isDue ? poll() : notifyChanges([])))
  }
  environment = of
  waiting = []
  wait()
  if (!followed.has(of)) follow(of)
  followed.add(of)
}
