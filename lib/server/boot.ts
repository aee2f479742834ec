import 'server-only'
import { startEraser } from './actions/erase'
import { startResolver } from './actions/resolver'
import { endRefusalWindows } from './audit/fold'
import { startDeletions } from './deletion-finish'
import { requireStoreKeys } from './encryption-check'
import { env } from './env'
import { log } from './log'
import { ensureDemoPeople } from './people'
import { startRequestLog } from './request-log'
import { startSignInLimits } from './sign-in-limits'
import { database } from './store/store'

async function boot(): Promise<void> {
  env()
  await requireStoreKeys(await database())
  await ensureDemoPeople()
  const eraser = startEraser()
  const resolver = startResolver()
  const finishing = startDeletions()
  const requestLog = startRequestLog()
  const signInLimits = startSignInLimits()
  // Requests in flight still need the store and the service; both are safe to leave as they are when the process ends.
  const stop = () => {
    eraser.stop()
    resolver.stop()
    finishing.stop()
    requestLog.stop()
    endRefusalWindows()
    signInLimits.stop()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  log.info({ event: 'started' })
}

/**
 * Makes this process ready before its first request: configuration, store and migrations, demo people, resolver. What is wrong ends the
 * process with one clear line for each thing.
 */
export async function bootOrStop(): Promise<void> {
  try {
    await boot()
  } catch (error) {
    process.stderr.write(`Paydesk cannot start: ${error instanceof Error ? error.message : 'unknown reason'}\n`)
    process.exit(1)
  }
}
