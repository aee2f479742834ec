import { expect, test } from 'vitest'
import { startDeskAndStore } from '@/tests/harness/desk-and-store'
import { storeKinds } from '@/tests/harness/store-kinds'

const newerStoreErrorPattern =
  /the store was migrated by a newer version of Paydesk \(its newest migration is of \d{4}-\d\d-\d\d, that of this version of \d{4}-\d\d-\d\d\)/

test.each(storeKinds)(
  'a program older than its store does not start and reports this in one line: %s',
  async (kind) => {
    const dashboardAndStore = await startDeskAndStore(kind, {
      serviceUrl: 'http://127.0.0.1:9',
      apiKey: 'key-of-this-test-0123456789',
    })
    try {
      await dashboardAndStore.sql(
        'update drizzle.__drizzle_migrations set created_at = created_at + 86400000; select 1',
      )
      const restartPromise =
        kind === 'PGlite'
          ? dashboardAndStore.shut()
          : dashboardAndStore.dashboard.end().then(() => dashboardAndStore.dashboard.restart())
      await expect(restartPromise).rejects.toThrow(newerStoreErrorPattern)
    } finally {
      await dashboardAndStore.stop()
    }
  },
)
