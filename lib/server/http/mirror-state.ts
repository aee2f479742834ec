import 'server-only'
import type { MirrorState } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { env } from '@/lib/server/config/env'
import { readSyncState, type SyncState } from '@/lib/server/sync/state'

/**
 * Age at which the mirror, our stored copy of the service's data, counts as out of date. The sync
 * polls twice a minute, so a greater age means that something is wrong.
 */
const staleAfterMs = 300_000

function computeSecondsLeft({ done, total, startedAt }: SyncState): number | null {
  if (startedAt === null || done === 0) return null
  return Math.round(((Date.now() - startedAt.getTime()) / 1000 / done) * (total - done))
}

/** Null if the mirror is complete and current. */
export async function readMirrorState(environment: Environment): Promise<MirrorState | null> {
  const state = await readSyncState(environment)
  const { done, total, importedAt, paused, resources } = state
  const checkedAt = resources.find(({ resource }) => resource === 'payments')?.checkedAt ?? null
  const isFresh = checkedAt !== null && Date.now() - checkedAt.getTime() < staleAfterMs
  if (importedAt && !paused && isFresh) return null
  return {
    importing:
      importedAt || !env().mirrorSync
        ? null
        : { done, total, seconds_left: computeSecondsLeft(state) },
    checked_at: checkedAt?.toISOString() ?? null,
    paused: paused && { reason: paused.reason, since: paused.since.toISOString() },
  }
}
