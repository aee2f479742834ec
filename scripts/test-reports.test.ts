import { expect, test } from 'vitest'
import { browserFigures, vitestFigures } from './test-reports.mjs'

test('a failed test is named with the first line of what it said, without colours', () => {
  const report = {
    numPassedTests: 1,
    numFailedTests: 1,
    testResults: [
      {
        name: '/desk/tests/a.test.ts',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'fine', failureMessages: [] },
          { status: 'failed', fullName: 'adds up', failureMessages: ['\u001b[31mexpected 1 to be 2\u001b[39m\n  at a.test.ts:3'] },
        ],
      },
    ],
  }
  expect(vitestFigures(report)).toEqual({ passed: 1, failed: 1, failures: ['/desk/tests/a.test.ts › adds up: expected 1 to be 2'] })
})

test('a file that broke before its first test is named alone', () => {
  const report = {
    numPassedTests: 0,
    numFailedTests: 0,
    testResults: [{ name: 'b.test.ts', message: 'no such module\nat b', assertionResults: [] }],
  }
  expect(vitestFigures(report).failures).toEqual(['b.test.ts: no such module'])
})

test('of browser tests the nested ones are found, and one that passed on a second try counts as failed', () => {
  const spec = {
    ok: false,
    file: 'sign-in.spec.ts',
    line: 22,
    title: 'leads to work',
    tests: [{ projectName: 'provider', results: [{ errors: [{ message: 'not there\nline 2' }] }] }],
  }
  const report = {
    stats: { expected: 5, unexpected: 0, flaky: 1 },
    errors: [{ message: 'the server did not start' }],
    suites: [{ specs: [{ ...spec, ok: true }], suites: [{ specs: [spec] }] }],
  }
  expect(browserFigures(report)).toEqual({
    passed: 5,
    failed: 1,
    failures: ['e2e/sign-in.spec.ts:22 › leads to work [provider]: not there', 'e2e: the server did not start'],
  })
})

test('of a browser test that failed it is told what was looked for, what came, and in which line', () => {
  const message = 'not there\n\nLocator:  getByText(2)\nExpected: 0\nReceived: 1\n\nCall log:\n  - waiting'
  const snippet = '\u001b[90m  33 |\u001b[39m  before\n\u001b[31m> 34 |\u001b[39m   await expect(two)\n     |   ^'
  const tests = [{ projectName: 'document', results: [{ errors: [{ message, snippet }] }] }]
  const report = {
    stats: { expected: 0, unexpected: 1, flaky: 0 },
    errors: [],
    suites: [{ specs: [{ ok: false, file: 'a.spec.ts', line: 2, title: 'two', tests }] }],
  }
  expect(browserFigures(report).failures).toEqual([
    'e2e/a.spec.ts:2 › two [document]: not there; Locator: getByText(2); Expected: 0; Received: 1; > 34 | await expect(two)',
  ])
})

test('an error outside of any test counts, and is told with the first place of ours', () => {
  const report = { numPassedTests: 1, numFailedTests: 0, testResults: [] }
  const error = {
    type: 'Unhandled Rejection',
    message: 'ended\nlate',
    stack: 'ended\n at /desk/node_modules/x.js:1\n at /desk/tests/a.ts:3',
  }
  expect(vitestFigures(report, [error])).toEqual({
    passed: 1,
    failed: 1,
    failures: ['Unhandled Rejection: ended at /desk/tests/a.ts:3'],
  })
})
