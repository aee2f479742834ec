import 'server-only'
import type { Environment } from '@/lib/operations/define'
import type { AccountsInScope, PageContext } from '@/lib/operations/page-context'

const keptAtMost = 200

/** `at` is by the clock of `performance`, `readAt` by the calendar's (milliseconds). */
type Entry = { environment: Environment; at: number; readAt: number; value: Promise<unknown> }
type Memory = Map<string, Entry>

/** Names a page's scope. Two people see the same only in the same scope: what a limited person may see is part of the name. */
function scopeName(context: AccountsInScope): string {
  const scope = context.account ?? (context.needsAccount ? `own ${context.accounts.map(({ id }) => id).join(' ')}` : 'platform')
  return `${context.environment} ${scope}`
}

type Reading<T> = { read: () => Promise<T>; believed: (entry: Entry) => boolean; worthKeeping: (value: T) => boolean }

/** What was read in a scope as long as it is believed, else a new reading, which those who ask meanwhile share. */
function readOnce<T>(memory: Memory, name: string, context: AccountsInScope, { read, believed, worthKeeping }: Reading<T>): Promise<T> {
  const key = `${scopeName(context)} ${name}`
  const known = memory.get(key)
  if (known && believed(known)) return known.value as Promise<T>
  const value = read()
  const forget = () => memory.get(key)?.value === value && memory.delete(key)
  value.then((result) => worthKeeping(result) || forget(), forget)
  memory.delete(key)
  memory.set(key, { environment: context.environment, at: performance.now(), readAt: Date.now(), value })
  const oldest = memory.size > keptAtMost ? memory.keys().next().value : undefined
  if (oldest !== undefined) memory.delete(oldest)
  return value
}

const figures: Memory = new Map()
/** How long something that takes many reads is believed (milliseconds). The page says its age. */
const figuresKept = 60_000

/**
 * Reads something once a minute for each scope of a checked desk; those who ask meanwhile share the reading. What failed is not kept, so that
 * trying again tries again.
 */
export const remembered = <T extends { ok: boolean }>(name: string, context: AccountsInScope, read: () => Promise<T>): Promise<T> =>
  readOnce(figures, name, context, {
    read,
    believed: ({ at }) => performance.now() - at < figuresKept,
    worthKeeping: ({ ok }) => ok,
  })

// Pages and route handlers are bundled apart, and a write has to reach what the pages keep.
const shared = globalThis as typeof globalThis & { paydeskHeldFacts?: Memory }
shared.paydeskHeldFacts ??= new Map()
const heldFacts = shared.paydeskHeldFacts
/** How long what decides about holds is believed (milliseconds); a write through Paydesk ends it at once. */
const heldFactsKept = 10_000

/** What is read for a page: in which desk, and when the newest of its holds began (milliseconds). */
export type HeldPage = { context: PageContext; newest: number }

/**
 * Reads something once in ten seconds for each scope of a checked desk; those who ask meanwhile share it. What was read before the newest hold began says
 * nothing of that one, and what came to null is read again.
 */
export const keptBriefly = <T>(name: string, { context, newest }: HeldPage, read: () => Promise<T | null>): Promise<T | null> =>
  readOnce(heldFacts, name, context, {
    read,
    believed: ({ at, readAt }) => readAt > newest && performance.now() - at < heldFactsKept,
    worthKeeping: (value) => value !== null,
  })

/** Forgets it for an environment: something was written there, and a hold may have another reason now, or none. */
export function forgetHeldFacts(environment: Environment): void {
  for (const [key, each] of heldFacts) if (each.environment === environment) heldFacts.delete(key)
}
