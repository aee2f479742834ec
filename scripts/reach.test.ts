import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { serviceOperation, serviceOperationIds } from '@/lib/operations/service-operations'
import { collectImports, findFilesNamed, listFilesBelow, root } from './import-graph'

/**
 * True for a page or component. Only these files count as uses of an operation: the contract lists every operation, and the domain only has
 * rules about them.
 */
const isScreenFile = (file: string) => /^(app|components)\//.test(relative(root, file)) && !/\.test\.tsx?$/.test(file)

function findOperations(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return serviceOperationIds.filter((id) => text.includes(`'${id}'`) || text.includes(`"${id}"`))
}

const pages = findFilesNamed(join(root, 'app'), ['page.tsx', 'layout.tsx'])
const usedOperations = new Set(pages.flatMap((page) => [...collectImports(page)].filter(isScreenFile).flatMap(findOperations)))

/** Operation ids in the server's files. An internal operation has no route, so it must be used there. */
const serverOperations = new Set(
  [
    ...listFilesBelow(join(root, 'lib/server')),
    ...listFilesBelow(join(root, 'lib/features')).filter((path) => path.includes('/server/')),
  ].flatMap(findOperations),
)

describe('every operation is reached from a page', () => {
  test.each(serviceOperationIds)('%s', (id) => {
    const isReached = serviceOperation(id).internal ? serverOperations.has(id) : usedOperations.has(id)
    expect(isReached, `no page uses ${id}`).toBe(true)
  })
})

test('the search follows dynamic imports', () => {
  const page = pages.find((path) => path.endsWith('payouts/[id]/page.tsx')) ?? ''
  expect([...collectImports(page)].map((file) => relative(root, file))).toContain('components/payments/forms/form.tsx')
})
