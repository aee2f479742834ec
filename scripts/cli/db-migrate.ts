import { migrationSettings } from '@/lib/server/config/store-settings'
import { migrateAsOwner } from '@/lib/server/store/owner'
import { closeStore, store } from '@/lib/server/store/store'
import { runCli } from './run-cli'

runCli(async () => {
  const owner = migrationSettings()
  if (owner) await migrateAsOwner(owner)
  await store()
  await closeStore()
  process.stdout.write('the store is up to date\n')
  return 0
})
