import 'server-only'
import type { MirrorState } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { env } from '@/lib/server/config/env'
import { type SyncState, syncState } from '@/lib/server/sync/state'

/** Changes are asked for twice a minute; so late something is wrong, and not just slow (milliseconds). */
const late = 300_000

/** How long the rest takes if it goes on as it went so far. */
function secondsLeft({ done, total, startedAt }: SyncState): number | null {
  if (startedAt === null || done === 0) return null
  return Math.round(((Date.now() - startedAt.getTime()) / 1000 / done) * (total - done))
}

/** How far the mirror of an environment is; null while lists show the newest. */
export async function mirrorState(environment: Environment): Promise<MirrorState | null> {
  const state = await syncState(environment)
  const { done, total, importedAt, paused, resources } = state
  const checkedAt = resources.find(({ resource }) => resource === 'payments')?.checkedAt ?? null
  const isFresh = checkedAt !== null && Date.now() - checkedAt.getTime() < late
  if (importedAt && !paused && isFresh) return null
  return {
    importing: importedAt || !env().mirrorSync ? null : { done, total, seconds_left: secondsLeft(state) },
    checked_at: checkedAt?.toISOString() ?? null,
    paused: paused && { reason: paused.reason, since: paused.since.toISOString() },
  }
}
