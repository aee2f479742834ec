import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { toPlaywrightFailure, toVitestFailure } from './failures.mjs'
import { formatFailure, formatSlowestFiles, formatStepLine } from './print.mjs'

const thisTestFile = fileURLToPath(import.meta.url)
const firstSourceLine = "scripts/test/failures.test.ts:1  import { fileURLToPath } from 'node:url'"
const toRed = (text: string) => `\u001b[31m${text}\u001b[39m`

test('a failed comparison of Vitest shows its place, expected and received value and the code line', () => {
  const vitestError = {
    message: toRed('expected 1 to be 2'),
    diff: `${toRed('- Expected')}\n+ Received\n\n${toRed('- 2')}\n+ 1`,
    stacks: [
      { file: '/elsewhere/node_modules/x.js', line: 3 },
      { file: thisTestFile, line: 1 },
    ],
  }
  expect(
    formatFailure(toVitestFailure({ file: thisTestFile, name: 'adds up', error: vitestError })),
  ).toEqual([
    '✗ scripts/test/failures.test.ts:1 › adds up',
    '    expected 1 to be 2',
    '    expected  2',
    '    received  1',
    `    ${firstSourceLine}`,
  ])
})

test('a long comparison shows some of its different lines only', () => {
  const longDiff = [
    '- Expected',
    '+ Received',
    '  same',
    ...Array.from({ length: 20 }, (_, at) => `+ row ${at}`),
  ].join('\n')
  const { lines } = toVitestFailure({
    file: thisTestFile,
    name: 'rows',
    error: { message: 'not equal', diff: longDiff },
  })
  expect(lines.slice(0, 3)).toEqual(['not equal', '- expected, + received:', '+ row 0'])
  expect(lines).not.toContain('  same')
  expect(lines.at(-1)).toBe('… 4 lines more in the log')
})

test('a failed expectation of Playwright is shown without its call log', () => {
  const playwrightMessage = `${toRed('not there')}\n\nLocator:  getByText(2)\nExpected: 0\nReceived: 1\n\nCall log:\n  - waiting`
  expect(
    formatFailure(
      toPlaywrightFailure({
        file: thisTestFile,
        line: 22,
        name: 'leads to work',
        error: { message: playwrightMessage, location: { file: thisTestFile, line: 1 } },
      }),
    ),
  ).toEqual([
    '✗ scripts/test/failures.test.ts:22 › leads to work',
    ...['not there', 'Locator:  getByText(2)', 'Expected: 0', 'Received: 1', firstSourceLine].map(
      (line) => `    ${line}`,
    ),
  ])
})

test('a step has one line with counts and seconds, and the slowest files are listed first', () => {
  const sampleFailure = { file: 'a.ts', name: 'a', lines: [] }
  const fileDurations = Array.from({ length: 12 }, (_, at) => ({
    file: `${at}.test.ts`,
    seconds: at,
  }))
  expect(formatStepLine({ name: 'types', seconds: 4.06, failures: [] })).toBe(
    '✓ types             4.1 s',
  )
  expect(
    formatStepLine({
      name: 'unit',
      seconds: 151.2,
      passed: 1234,
      skipped: 0,
      failures: [sampleFailure],
      files: fileDurations,
    }),
  ).toBe('✗ unit              1,234 passed, 1 failed  151 s')
  const slowestFileLines = formatSlowestFiles([
    { files: fileDurations },
    { files: [{ file: 'e2e/a.spec.ts', seconds: 30 }] },
    {},
  ])
  expect(slowestFileLines).toHaveLength(10)
  expect(slowestFileLines.slice(0, 2)).toEqual(['    30 s  e2e/a.spec.ts', '    11 s  11.test.ts'])
})
