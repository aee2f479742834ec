import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { getServiceOperation, serviceOperationIds } from '@/lib/operations/service-operations'
import { collectImports, findFilesNamed, listSourceFiles, projectRoot } from './import-graph'

/**
 * True for a page or component. An operation id in another file does not count as a use:
 * lib/operations lists every operation, and lib/domain contains rules about operations.
 */
const isScreenFile = (file: string) =>
  /^(app|components)\//.test(relative(projectRoot, file)) && !/\.test\.tsx?$/.test(file)

function findOperationIds(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  return serviceOperationIds.filter(
    (id) => source.includes(`'${id}'`) || source.includes(`"${id}"`),
  )
}

const pageFiles = findFilesNamed(join(projectRoot, 'app'), ['page.tsx', 'layout.tsx'])
const operationIdsOnPages = new Set(
  pageFiles.flatMap((page) =>
    [...collectImports(page)].filter(isScreenFile).flatMap(findOperationIds),
  ),
)

/**
 * The operation ids in server code. An operation marked `internal` has no route for browsers, so
 * only server code can use it.
 */
const operationIdsInServerCode = new Set(
  [
    ...listSourceFiles(join(projectRoot, 'lib/server')),
    ...listSourceFiles(join(projectRoot, 'lib/features')).filter((path) =>
      path.includes('/server/'),
    ),
  ].flatMap(findOperationIds),
)

describe('every operation is reached from a page', () => {
  test.each(serviceOperationIds)('%s', (id) => {
    const isOperationReached = getServiceOperation(id).internal
      ? operationIdsInServerCode.has(id)
      : operationIdsOnPages.has(id)
    expect(isOperationReached, `no page uses ${id}`).toBe(true)
  })
})

test('the search follows dynamic imports', () => {
  const payoutPageFile = pageFiles.find((path) => path.endsWith('payouts/[id]/page.tsx')) ?? ''
  expect([...collectImports(payoutPageFile)].map((file) => relative(projectRoot, file))).toContain(
    'components/payments/forms/form.tsx',
  )
})
