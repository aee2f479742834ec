import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@/lib/errors'
import type { ChangedRows } from '@/lib/operations/changes'
import type { Environment } from '@/lib/operations/define'
import { accountsGranted } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { Notice } from '@/lib/server/store/notices'
import { store } from '@/lib/server/store/store'
import { Gathered } from './gathered'

/** Milliseconds for which notifications are collected into one message. */
const gatherMs = 100
/** Milliseconds between checks that the session is still valid. Each check also sends a message that keeps the connection open. */
const askEvery = 15_000
/** Milliseconds of past notifications that a new connection gets first, because its page may have been read before them. */
const lately = 10_000
/** Milliseconds after which a browser reconnects. */
const retryMs = 3000

/** Maximum connections per person. The tabs of a browser share one. */
const mostOfPerson = 10
const open = new Map<string, number>()

/** Counts a connection of a person until `signal` aborts. Throws `too_many` if the person has too many. */
function count(person: string, signal: AbortSignal): void {
  const before = open.get(person) ?? 0
  if (before >= mostOfPerson) throw new AppError('too_many', 'Too many of your windows follow changes', { retryAfter: 30 })
  open.set(person, before + 1)
  signal.addEventListener('abort', () => {
    const remaining = (open.get(person) ?? 1) - 1
    if (remaining > 0) open.set(person, remaining)
    else open.delete(person)
  })
}

/** A connection. `again` reads the person and their grants again, and throws if the session has ended. */
type Following = { environment: Environment; actor: Actor; again: () => Promise<Actor>; signal: AbortSignal }

const messageOf = (rows: readonly ChangedRows[]): string => `data: ${JSON.stringify(rows)}\n\n`

/** Maximum recent notifications in memory. If there are more, they are replaced by one null, after which pages read everything again. */
const mostRecent = 1000
let recent: readonly { at: number; notice: Notice | null }[] = []
let keeping = false

/** Calls the listener for recent notifications and then for each new one. Returns the unsubscribe function. */
async function listen(listener: (notice: Notice | null, at: number) => void): Promise<() => void> {
  const { notices } = await store()
  const since = () => recent.filter(({ at }) => at > performance.now() - lately)
  if (!keeping) {
    notices.listen((notice) => {
      const before = since()
      recent = before.length < mostRecent ? [...before, { at: performance.now(), notice }] : [{ at: performance.now(), notice: null }]
    })
  }
  keeping = true
  for (const { notice, at } of since()) listener(notice, at)
  return notices.listen((notice) => listener(notice, performance.now()))
}

/** Yields the messages of a connection, until `signal` aborts. Throws if the session has ended. */
async function* messages({ environment, again, signal }: Omit<Following, 'actor'>): AsyncGenerator<string, void> {
  const gathered = new Gathered(environment)
  let woken = new AbortController()
  const leave = await listen((notice, at) => {
    gathered.add(notice, at)
    if (!gathered.isEmpty) woken.abort()
  })
  try {
    yield `retry: ${retryMs}\n\n`
    while (!signal.aborted) {
      if (gathered.isEmpty) await wait(askEvery, null, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {})
      if (!gathered.isEmpty) await wait(gatherMs)
      woken = new AbortController()
      const { grants } = await again()
      const rows = gathered.take(accountsGranted(grants, environment))
      // A page refreshes if it gets no message for 30 s. An empty message prevents that while notifications are delivered.
      if (rows.length > 0 || (await store()).notices.isDelivered()) yield messageOf(rows)
    }
  } finally {
    leave()
  }
}

/** Returns a stream of server-sent events with the changes in an environment, until the session ends. Throws `too_many`. */
export function eventStream({ actor, environment, again, signal }: Following): ReadableStream<Uint8Array> {
  const over = new AbortController()
  const end = () => over.abort()
  count(actor.id, over.signal)
  signal.addEventListener('abort', end)
  const messageStream = messages({ environment, again, signal: over.signal })
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      // The session ended, or the store is unreachable. The browser reconnects and gets the error then.
      const { value } = await messageStream.next().catch(() => ({ value: undefined }))
      if (typeof value === 'string') return controller.enqueue(encoder.encode(value))
      end()
      controller.close()
    },
    cancel() {
      end()
      void messageStream.return()
    },
  })
}
