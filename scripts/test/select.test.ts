import { expect, test } from 'vitest'
import { findUnknownNames, listTestFiles, selectSteps } from './select.mjs'
import { projectRoot, stepSchedule, testSteps } from './steps.mjs'

const testFiles = [
  { file: 'e2e/upload.spec.ts', step: 'browser' },
  { file: 'lib/money.test.ts', step: 'unit' },
  { file: 'tests/uploads.test.ts', step: 'integration' },
]
const selectStepsByName = (names: string[], isFullRun = false) =>
  Object.fromEntries(selectSteps(names, testFiles, isFullRun))

test('without a name every step runs, and the second dialect only in the full run', () => {
  const allSteps = Object.keys(testSteps)
  expect(Object.keys(selectStepsByName([]))).toEqual(
    allSteps.filter((name) => name !== 'browser-provider'),
  )
  expect(Object.keys(selectStepsByName([], true))).toEqual(allSteps)
  expect(stepSchedule.flat(2).sort()).toEqual(allSteps.sort())
})

test('a name selects a step, or the files with it in their path, and their prerequisites', () => {
  expect(selectStepsByName(['lint'])).toEqual({ lint: [], deps: [] })
  expect(selectStepsByName(['money'])).toEqual({ unit: ['lib/money.test.ts'], deps: [] })
  expect(selectStepsByName(['uploads'])).toEqual({
    integration: ['tests/uploads.test.ts'],
    deps: [],
    build: [],
  })
  const browserSelection = { browser: ['e2e/upload.spec.ts'], deps: [], build: [], chromium: [] }
  expect(selectStepsByName(['upload.spec'])).toEqual(browserSelection)
  expect(selectStepsByName(['upload.spec'], true)).toEqual({
    ...browserSelection,
    'browser-provider': ['e2e/upload.spec.ts'],
  })
  expect(selectStepsByName(['unit', 'money'])).toEqual({ unit: [], deps: [] })
})

test('finds a name that matches nothing', () => {
  expect(findUnknownNames(['lint', 'money', 'nowhere'], testFiles)).toEqual(['nowhere'])
})

test('every test file belongs to a step', () => {
  const foundFiles = listTestFiles(projectRoot)
  for (const step of ['browser', 'components', 'integration', 'unit'])
    expect(foundFiles.filter((file) => file.step === step).length).toBeGreaterThan(10)
  expect(foundFiles).toContainEqual({ file: 'scripts/test/select.test.ts', step: 'unit' })
  expect(foundFiles.filter(({ file }) => file.includes('node_modules'))).toEqual([])
})
