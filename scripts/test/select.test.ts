import { expect, test } from 'vitest'
import { findUnknownNames, listTestFiles, selectSteps } from './select.mjs'
import { root, stepStages, steps } from './steps.mjs'

const files = [
  { file: 'e2e/upload.spec.ts', step: 'browser' },
  { file: 'lib/money.test.ts', step: 'unit' },
  { file: 'tests/uploads.test.ts', step: 'integration' },
]
const selectNames = (names: string[], isFull = false) => Object.fromEntries(selectSteps(names, files, isFull))

test('without a name every step runs, and the second dialect only in the full run', () => {
  const allSteps = Object.keys(steps)
  expect(Object.keys(selectNames([]))).toEqual(allSteps.filter((name) => name !== 'browser-provider'))
  expect(Object.keys(selectNames([], true))).toEqual(allSteps)
  expect(stepStages.flat(2).sort()).toEqual(allSteps.sort())
})

test('a name selects a step, or the files with it in their path, and their prerequisites', () => {
  expect(selectNames(['lint'])).toEqual({ lint: [], deps: [] })
  expect(selectNames(['money'])).toEqual({ unit: ['lib/money.test.ts'], deps: [] })
  expect(selectNames(['uploads'])).toEqual({ integration: ['tests/uploads.test.ts'], deps: [], build: [] })
  const browser = { browser: ['e2e/upload.spec.ts'], deps: [], build: [], chromium: [] }
  expect(selectNames(['upload.spec'])).toEqual(browser)
  expect(selectNames(['upload.spec'], true)).toEqual({ ...browser, 'browser-provider': ['e2e/upload.spec.ts'] })
  expect(selectNames(['unit', 'money'])).toEqual({ unit: [], deps: [] })
})

test('finds a name that matches nothing', () => {
  expect(findUnknownNames(['lint', 'money', 'nowhere'], files)).toEqual(['nowhere'])
})

test('every test file belongs to a step', () => {
  const foundFiles = listTestFiles(root)
  for (const step of ['browser', 'components', 'integration', 'unit'])
    expect(foundFiles.filter((file) => file.step === step).length).toBeGreaterThan(10)
  expect(foundFiles).toContainEqual({ file: 'scripts/test/select.test.ts', step: 'unit' })
  expect(foundFiles.filter(({ file }) => file.includes('node_modules'))).toEqual([])
})
