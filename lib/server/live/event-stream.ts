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

/** Milliseconds for which notices are collected into one message. */
const gatherMs = 100
/** Milliseconds between access checks, which also send a keep-alive. */
const askEvery = 15_000
/** Milliseconds for which past notices are replayed to new connections, whose page may have been read before them. */
const lately = 10_000
/** Reconnect delay of the browser (milliseconds). */
const retryMs = 3000

/** Connections per person. A browser shares one among its tabs. */
const mostOfPerson = 10
const open = new Map<string, number>()

/** Counts a connection of a person until the signal aborts. Throws `too_many`. */
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

/** `again` re-reads the actor, and throws once the session has ended. */
type Following = { environment: Environment; actor: Actor; again: () => Promise<Actor>; signal: AbortSignal }

const messageOf = (rows: readonly ChangedRows[]): string => `data: ${JSON.stringify(rows)}\n\n`

/** Above this, recent notices are replaced with a single loss notice. */
const mostRecent = 1000
let recent: readonly { at: number; notice: Notice | null }[] = []
let keeping = false

/** Subscribes to notices, and first replays the recent ones. */
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

/** Yields messages as they are consumed, until the signal aborts. Throws once the session has ended. */
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
      // A page refreshes after 30 s without a message, so empty messages keep it from refreshing.
      if (rows.length > 0 || (await store()).notices.isDelivered()) yield messageOf(rows)
    }
  } finally {
    leave()
  }
}

/** Server-sent events of the changes in an environment, until the session ends. Throws `too_many`. */
export function eventStream({ actor, environment, again, signal }: Following): ReadableStream<Uint8Array> {
  const over = new AbortController()
  const end = () => over.abort()
  count(actor.id, over.signal)
  signal.addEventListener('abort', end)
  const messageStream = messages({ environment, again, signal: over.signal })
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      // The session ended or the store is unavailable. The browser reconnects and then receives the error.
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
