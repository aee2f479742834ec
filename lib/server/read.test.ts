import { expect, test } from 'vitest'
import type { Desk } from '@/lib/operations/desk'
import { operationIds, type ReadId, rowOf } from '@/lib/operations/rows'
import { load } from './read'

const desk = { environment: 'sandbox', account: null } as Desk
const hidden = operationIds.filter((id) => rowOf(id).sensitive || rowOf(id).internal) as ReadId[]

test('there is something that no page may read', () => expect(hidden.length).toBeGreaterThan(5))

test.each(hidden)('%s is never read for a page, whoever asks', async (id) => {
  expect(await load(desk, id, { id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f' } as never)).toMatchObject({
    ok: false,
    error: { code: 'forbidden', detail: 'This is not shown on a page by itself' },
  })
})
