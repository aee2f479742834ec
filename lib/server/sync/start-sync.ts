import 'server-only'
import { configuredEnvironments, env } from '@/lib/server/config/env'
import { startQueues } from '@/lib/server/store/jobs'
import { beforeExit } from '@/lib/server/store/store'
import { syncPass } from './pass'

/** Seconds between reads of changes. */
const everySeconds = 30
/** Maximum duration of a pass (milliseconds), well below the timeout of its job. */
const passMs = 40_000
/** Delay before the first call (milliseconds), so that the first page requests come first. */
const delay = 500

/** Starts the sync of all configured environments, one instance at a time each. Does nothing if the sync is off. */
export function startSync(): { stop: () => void } {
  if (!env().mirrorSync) return { stop: () => {} }
  const queues = configuredEnvironments().map((environment) => ({
    name: `sync-${environment}`,
    everySeconds,
    run: (signal: AbortSignal) => syncPass({ environment, until: Date.now() + passMs, signal }),
  }))
  const running = startQueues(queues, delay)
  return { stop: () => beforeExit(running.stop()) }
}
