import 'server-only'
import { configuredEnvironments, env } from '@/lib/server/config/env'
import { startQueues } from '@/lib/server/jobs/boss'
import { beforeExit } from '@/lib/server/store/store'
import { syncPass } from './pass'

/** How often what changed is asked for (seconds). */
const everySeconds = 30
/** How long one pass may take (milliseconds), well within the time after which its job counts as cut off. */
const passMs = 40_000
/** The pages people open first come before the first call (milliseconds). */
const delay = 500

/** Begins to keep the mirrors of all environments, each by one instance at a time. Nothing where the settings say so. */
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
