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

/** What comes together is told together (milliseconds). */
const gatherMs = 100
/** How often access is checked again and a sign of life sent (milliseconds). */
const askEvery = 15_000
/** What was told so lately is told to who comes as well: what they show may have been read before (milliseconds). */
const lately = 10_000
/** How soon a browser comes again (milliseconds). */
const retryMs = 3000

/** A browser has one for all of its tabs. */
const mostOfPerson = 10
const open = new Map<string, number>()

/** Counts one more of a person until the signal. Throws `too_many`. */
function count(person: string, signal: AbortSignal): void {
  const before = open.get(person) ?? 0
  if (before >= mostOfPerson) throw new AppError('too_many', 'Too many of your windows follow changes', { retryAfter: 30 })
  open.set(person, before + 1)
  signal.addEventListener('abort', () => {
    const left = (open.get(person) ?? 1) - 1
    if (left > 0) open.set(person, left)
    else open.delete(person)
  })
}

/** Who follows what; `again` asks who it is by now, and throws once their session has ended. */
type Following = { environment: Environment; actor: Actor; again: () => Promise<Actor>; signal: AbortSignal }

const messageOf = (rows: readonly ChangedRows[]): string => `data: ${JSON.stringify(rows)}\n\n`

/** More of them are told as a loss. */
const mostRecent = 1000
let recent: readonly { at: number; notice: Notice | null }[] = []
let keeping = false

/** The notices from here on, after those that were told lately. */
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

/** The messages to somebody, each made when the one before was read. They end with the signal, and throw once the session has ended. */
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
      // Without a message for half a minute a page refreshes.
      if (rows.length > 0 || (await store()).notices.isDelivered()) yield messageOf(rows)
    }
  } finally {
    leave()
  }
}

/** What changes in an environment from now on, as server-sent events, for as long as the session lasts. Throws `too_many`. */
export function eventStream({ actor, environment, again, signal }: Following): ReadableStream<Uint8Array> {
  const over = new AbortController()
  const end = () => over.abort()
  count(actor.id, over.signal)
  signal.addEventListener('abort', end)
  const told = messages({ environment, again, signal: over.signal })
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      // A session that ended, or a store that is away: the browser comes again and is told which.
      const { value } = await told.next().catch(() => ({ value: undefined }))
      if (typeof value === 'string') return controller.enqueue(encoder.encode(value))
      end()
      controller.close()
    },
    cancel() {
      end()
      void told.return()
    },
  })
}
