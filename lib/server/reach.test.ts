import { expect, test } from 'vitest'
import { operationIds, rowOf } from '@/lib/operations/rows'
import { ways } from './reach'

const withoutHeader = operationIds.filter((id) => rowOf(id).scope === 'forbidden')

test('there is a way for each operation without the account header, and for no other', () => {
  expect(Object.keys(ways).sort()).toEqual([...withoutHeader].sort())
})

test.each(withoutHeader)('the way of %s can be gone', (id) => {
  const { path, method } = rowOf(id)
  const fits = { path: path.includes(':id'), object: path.includes(':id'), query: method === 'GET', body: method !== 'GET' }
  const way = ways[id] ?? 'platform'
  expect(way === 'any' || way === 'platform' || fits[way]).toBe(true)
})
