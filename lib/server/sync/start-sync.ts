import 'server-only'
import { env, listConfiguredEnvironments } from '@/lib/server/config/env'
import { startQueues } from '@/lib/server/store/jobs'
import { delayExitFor } from '@/lib/server/store/store'
import { runSyncPass } from './pass'

const syncIntervalSeconds = 30
/** Maximum duration of a pass (milliseconds), well below the timeout of its background job. */
const maxPassMs = 40_000
/** Milliseconds before the sync begins, so that the first requests for pages run before it. */
const startDelayMs = 500

/** Each environment is synced in one instance at a time. Does nothing if the sync is off. */
export function startSync(): { stop: () => void } {
  if (!env().mirrorSync) return { stop: () => {} }
  const queues = listConfiguredEnvironments().map((environment) => ({
    name: `sync-${environment}`,
    everySeconds: syncIntervalSeconds,
    run: (signal: AbortSignal) =>
      runSyncPass({ environment, until: Date.now() + maxPassMs, signal }),
  }))
  const runningQueues = startQueues(queues, startDelayMs)
  return { stop: () => delayExitFor(runningQueues.stop()) }
}
