import 'server-only'
import { startResolver } from './actions/resolver'
import { env } from './env'
import { log } from './log'
import { ensureDemoPeople } from './people'
import { closeService } from './service/client'
import { closeStore, store } from './store/store'

/**
 * Makes this process ready before its first request: configuration, store and migrations, demo people, resolver. Throws, and so stops the
 * start, with one clear line for each thing that is wrong.
 */
export async function boot(): Promise<void> {
  env()
  await store()
  await ensureDemoPeople()
  const resolver = startResolver()
  const stop = () => {
    resolver.stop()
    void Promise.allSettled([closeService(), closeStore()])
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  log.info({ event: 'started' })
}
