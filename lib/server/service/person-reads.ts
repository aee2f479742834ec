import 'server-only'
import { sql } from 'drizzle-orm'
import { env } from '@/lib/server/env'
import { personReads } from '@/lib/server/store/limit-schema'
import { database } from '@/lib/server/store/store'

/** Calls a process was given for a person, until the minute ends by the clock of `performance`. `spent`: the store has no more of them. */
type Lease = { left: number; spent: boolean; endsAt: number }
type Shared = typeof globalThis & { paydeskReads?: { leases: Map<string, Lease>; asking: Map<string, Promise<void>> } }

// Pages and route handlers are bundled apart, and both spend from the same lease.
const shared = globalThis as Shared
shared.paydeskReads ??= { leases: new Map(), asking: new Map() }
const { leases, asking } = shared.paydeskReads
const keptAtMost = 5000

/** A thirtieth of the minute's calls at once: a page does not ask the store for each of its calls, and little is lost to an instance that ends. */
const leaseSize = (quota: number) => Math.ceil(quota / 30)

type Granted = { calls: number; milliseconds: number }

/**
 * Takes up to `calls` of what is left of a person's `quota` in this minute, by the store's clock, over all instances. Throws what the store throws.
 */
export async function takeReads(person: string, quota: number, calls: number): Promise<Granted> {
  const first = Math.min(calls, quota)
  const db = await database()
  const { minute, reads, granted } = personReads
  const sameMinute = sql`${minute} = excluded.minute`
  const more = sql`greatest(0, least(${calls}, ${quota} - ${reads}))`
  const [row] = await db
    .insert(personReads)
    .values({ personId: person, minute: sql`date_trunc('minute', clock_timestamp())`, reads: first, granted: first })
    .onConflictDoUpdate({
      target: personReads.personId,
      set: {
        granted: sql`case when ${sameMinute} then ${more} else excluded.granted end`,
        reads: sql`case when ${sameMinute} then ${reads} + ${more} else excluded.reads end`,
        minute: sql`excluded.minute`,
      },
    })
    .returning({
      calls: granted,
      milliseconds: sql<number>`ceil(extract(epoch from ${minute} + interval '1 minute' - clock_timestamp()) * 1000)::int`,
    })
  if (!row) throw new Error('the reads of a person were not written')
  return row
}

function keep(person: string, lease: Lease): void {
  leases.delete(person)
  leases.set(person, lease)
  const oldest = leases.size > keptAtMost ? leases.keys().next().value : undefined
  if (oldest !== undefined) leases.delete(oldest)
}

/** Fills a lease up; those who ask meanwhile wait for the same answer. */
function refill(person: string): Promise<void> {
  const running = asking.get(person)
  if (running) return running
  const { readsPerMinute } = env().quotas
  const asked = takeReads(person, readsPerMinute, leaseSize(readsPerMinute))
    .then(({ calls, milliseconds }) =>
      keep(person, { left: calls, spent: calls === 0, endsAt: performance.now() + Math.max(milliseconds, 1) }),
    )
    .finally(() => asking.delete(person))
  asking.set(person, asked)
  return asked
}

/** Spends one call of a lease: 0, or the seconds until there are more where the minute's are spent; null where the store is to be asked. */
function spend(lease: Lease | undefined): number | null {
  const remaining = (lease?.endsAt ?? 0) - performance.now()
  if (!lease || remaining <= 0) return null
  if (lease.spent) return Math.ceil(remaining / 1000)
  if (lease.left === 0) return null
  lease.left -= 1
  return 0
}

/**
 * Counts one call that is made for a person. Gives 0 where it may be made, else the whole seconds until the next minute begins. A refusal is
 * remembered until then, so that asking again costs nothing. Throws what the store throws.
 */
export async function countRead(person: string): Promise<number> {
  for (;;) {
    const seconds = spend(leases.get(person))
    if (seconds !== null) return seconds
    await refill(person)
  }
}
