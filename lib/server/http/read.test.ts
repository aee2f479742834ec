import { expect, test } from 'vitest'
import type { PageContext } from '@/lib/operations/page-context'
import {
  getServiceOperation,
  type ReadId,
  serviceOperationIds,
} from '@/lib/operations/service-operations'
import { loadReadForPage } from './read'

const context = { environment: 'sandbox', account: null } as PageContext
const hiddenReadIds = serviceOperationIds.filter(
  (id) => getServiceOperation(id).sensitive || getServiceOperation(id).internal,
) as ReadId[]

test('there are operations that no page may read', () =>
  expect(hiddenReadIds.length).toBeGreaterThan(5))

test.each(hiddenReadIds)('%s is never read for a page', async (id) => {
  expect(
    await loadReadForPage(context, id, { id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f' } as never),
  ).toMatchObject({
    ok: false,
    error: { code: 'forbidden', detail: 'This is not shown on a page of its own' },
  })
})
