import 'server-only'
import { sql } from 'drizzle-orm'
import { env } from '@/lib/server/config/env'
import { getSharedValue } from '@/lib/server/shared'
import { personReadCounts } from '@/lib/server/store/schema/audit'
import { getDatabase } from '@/lib/server/store/store'

/**
 * Calls granted to this process for one person. `endsAt` is on the clock of `performance.now()`.
 * `spent` is true if the person's quota for this minute is used up.
 */
type CallLease = { left: number; spent: boolean; endsAt: number }

const leaseByPersonId = getSharedValue('leases', () => new Map<string, CallLease>())
const leaseRequestByPersonId = getSharedValue(
  'lease requests',
  () => new Map<string, Promise<void>>(),
)
const maxLeases = 5000

/** With this size, a page needs few database queries, and a stopped instance wastes few calls. */
const getLeaseSize = (quota: number) => Math.ceil(quota / 30)

type GrantedReadCalls = { calls: number; milliseconds: number }

/** All instances share the quota. `milliseconds` is until the next minute of the database clock. */
export async function grantReadCalls(
  personId: string,
  quota: number,
  requestedCalls: number,
): Promise<GrantedReadCalls> {
  const callsForNewRow = Math.min(requestedCalls, quota)
  const db = await getDatabase()
  const { minute, reads, granted } = personReadCounts
  const isSameMinute = sql`${minute} = excluded.minute`
  const addedCalls = sql`greatest(0, least(${requestedCalls}, ${quota} - ${reads}))`
  const [row] = await db
    .insert(personReadCounts)
    .values({
      personId: personId,
      minute: sql`date_trunc('minute', clock_timestamp())`,
      reads: callsForNewRow,
      granted: callsForNewRow,
    })
    .onConflictDoUpdate({
      target: personReadCounts.personId,
      set: {
        granted: sql`case when ${isSameMinute} then ${addedCalls} else excluded.granted end`,
        reads: sql`case when ${isSameMinute} then ${reads} + ${addedCalls} else excluded.reads end`,
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

function storeLease(personId: string, lease: CallLease): void {
  leaseByPersonId.delete(personId)
  leaseByPersonId.set(personId, lease)
  const oldestPersonId =
    leaseByPersonId.size > maxLeases ? leaseByPersonId.keys().next().value : undefined
  if (oldestPersonId !== undefined) leaseByPersonId.delete(oldestPersonId)
}

/** Parallel callers share one query. */
function refillLease(personId: string): Promise<void> {
  const pendingLeaseRequest = leaseRequestByPersonId.get(personId)
  if (pendingLeaseRequest) return pendingLeaseRequest
  const { readsPerMinute } = env().quotas
  const leaseRequest = grantReadCalls(personId, readsPerMinute, getLeaseSize(readsPerMinute))
    .then(({ calls, milliseconds }) =>
      storeLease(personId, {
        left: calls,
        spent: calls === 0,
        endsAt: performance.now() + Math.max(milliseconds, 1),
      }),
    )
    .finally(() => leaseRequestByPersonId.delete(personId))
  leaseRequestByPersonId.set(personId, leaseRequest)
  return leaseRequest
}

/** Returns 0 if the call may be sent, else the seconds to wait; null if a new lease is needed. */
function spendLeasedCall(lease: CallLease | undefined): number | null {
  const remainingMs = (lease?.endsAt ?? 0) - performance.now()
  if (!lease || remainingMs <= 0) return null
  if (lease.spent) return Math.ceil(remainingMs / 1000)
  if (lease.left === 0) return null
  lease.left -= 1
  return 0
}

/**
 * Returns 0 if the call may be sent, otherwise the seconds until the next minute. Until then the
 * lease stores the refusal, so that further calls need no query.
 */
export async function consumeReadQuota(personId: string): Promise<number> {
  for (;;) {
    const secondsToWait = spendLeasedCall(leaseByPersonId.get(personId))
    if (secondsToWait !== null) return secondsToWait
    await refillLease(personId)
  }
}
