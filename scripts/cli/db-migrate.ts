import { closeStore, store } from '@/lib/server/store/store'
import { runCli } from './run-cli'

runCli(async () => {
  await store()
  await closeStore()
  process.stdout.write('the store is up to date\n')
  return 0
})
