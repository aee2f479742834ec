import { expect, test } from 'vitest'
import { operation, operationIds } from '@/lib/operations/operations'
import { definitionOf } from './definition'

test.each(operationIds)('%s is the same row wherever it is loaded from', async (id) => {
  expect(await definitionOf(id)).toBe(operation(id))
})
