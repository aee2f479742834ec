import { stripVTControlCharacters } from 'node:util'

const firstLine = (text = '') => stripVTControlCharacters(text.split('\n', 1)[0])

const vitestFailures = ({ testResults }) =>
  testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    // A file that broke before its first test has no test to name.
    if (failed.length === 0 && message) return [`${name}: ${firstLine(message)}`]
    return failed.map(({ fullName, failureMessages }) => `${name} › ${fullName}: ${firstLine(failureMessages[0])}`)
  })

const suiteFailures = (suite) => [
  ...(suite.specs ?? [])
    .filter(({ ok }) => !ok)
    .map(({ file, line, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap(({ errors: all }) => all))
      return `e2e/${file}:${line} › ${title} [${tests[0]?.projectName}]: ${firstLine(errors[0]?.message)}`
    }),
  ...(suite.suites ?? []).flatMap(suiteFailures),
]

/** What Vitest's JSON report says: how many tests `passed` and `failed`, and a line for each failure. */
export const vitestFigures = (report) => ({
  passed: report.numPassedTests,
  failed: report.numFailedTests,
  failures: vitestFailures(report),
})

/** What Playwright's JSON report says; a test that passed only when run again counts as failed. */
export const browserFigures = (report) => ({
  passed: report.stats.expected,
  failed: report.stats.unexpected + report.stats.flaky,
  failures: [...report.suites.flatMap(suiteFailures), ...report.errors.map(({ message }) => `e2e: ${firstLine(message)}`)],
})
