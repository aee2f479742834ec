import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { collectImports, findFilesNamed, projectRoot } from './import-graph'

const [registration, features] = [
  join(projectRoot, 'lib/server/http/registration.ts'),
  join(projectRoot, 'lib/features/register.ts'),
]

/**
 * Entry files that Next bundles with their imports. The bundle of a page also contains the root
 * layout.
 */
const handlerFiles = [
  ...findFilesNamed(join(projectRoot, 'app'), ['route.ts']),
  join(projectRoot, 'instrumentation.ts'),
]
const pageFiles = findFilesNamed(join(projectRoot, 'app'), ['page.tsx'])
const nextBundles = [
  ...handlerFiles.map((entry) => ({ entry, parts: collectImports(entry) })),
  ...pageFiles.map((entry) => ({
    entry,
    parts: new Set([
      ...collectImports(entry),
      ...collectImports(join(projectRoot, 'app/layout.tsx')),
    ]),
  })),
].filter(({ parts }) => parts.has(registration))

describe('every bundle that runs operations includes the registered features', () => {
  test.each(nextBundles.map(({ entry, parts }) => ({ name: relative(projectRoot, entry), parts })))(
    '$name',
    ({ parts }) => {
      expect(parts.has(features)).toBe(true)
    },
  )

  test('the bundles include writes and the start', () => {
    const bundleEntries = nextBundles.map(({ entry }) => relative(projectRoot, entry))
    expect(bundleEntries).toEqual(
      expect.arrayContaining(['app/api/[environment]/v1/[...path]/route.ts', 'instrumentation.ts']),
    )
  })
})

test('every feature with a register file is collected', () => {
  const registerFiles = findFilesNamed(join(projectRoot, 'lib/features'), ['register.ts']).filter(
    (path) => path !== features,
  )
  const collectedFiles = collectImports(features)
  expect(registerFiles.filter((path) => !collectedFiles.has(path))).toEqual([])
  expect(registerFiles).not.toEqual([])
})
