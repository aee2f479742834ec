import { stripVTControlCharacters } from 'node:util'

const linesOf = (text = '') => stripVTControlCharacters(text).split('\n')
const firstLine = (text) => linesOf(text)[0]

/** What was expected of what, and what came, without the log between. */
const gist = (text) =>
  linesOf(text)
    .filter((line, at) => at === 0 || /^\s*(Locator|Expected|Received|Timeout|> \d+ \|)/.test(line))
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .join('; ')
    .slice(0, 600)

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
      return `e2e/${file}:${line} › ${title} [${tests[0]?.projectName}]: ${gist(`${errors[0]?.message}\n${errors[0]?.snippet ?? ''}`)}`
    }),
  ...(suite.suites ?? []).flatMap(suiteFailures),
]

/** Of an error outside of any test: what it said, and the first place of ours it came by. */
const outside = ({ type, message, stack }) => {
  const place = linesOf(stack).find((line) => /\bat\b/.test(line) && !line.includes('node_modules')) ?? linesOf(stack)[1]
  return `${type}: ${gist(message)} ${place?.trim() ?? ''}`.trim()
}

/** What Vitest's JSON report and its errors outside of any test say: how many tests `passed` and `failed`, and a line for each failure. */
export const vitestFigures = (report, errors = []) => ({
  passed: report.numPassedTests,
  failed: report.numFailedTests + errors.length,
  failures: [...vitestFailures(report), ...errors.map(outside)],
})

/** What Playwright's JSON report says; a test that passed only when run again counts as failed. */
export const browserFigures = (report) => ({
  passed: report.stats.expected,
  failed: report.stats.unexpected + report.stats.flaky,
  failures: [...report.suites.flatMap(suiteFailures), ...report.errors.map(({ message }) => `e2e: ${firstLine(message)}`)],
})
