import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { toPlaywrightFailure } from './failures.mjs'
import { projectRoot } from './steps.mjs'

const getTestFile = (test) => relative(projectRoot, test.location.file)
/** Returns the title of a test with those of its groups, without project and file. */
const getTestTitle = (test) => test.titlePath().slice(3).join(' › ')
const isFailed = (test) => ['unexpected', 'flaky'].includes(test.outcome())

/** Prints `[done/all] file › test`. Writes the results to the file in TEST_REPORT. */
export default class PlaywrightReporter {
  #all = 0
  #done = 0
  #failed = 0
  #suite
  #errors = []

  onBegin(_config, suite) {
    this.#suite = suite
    this.#all = suite.allTests().length
  }

  onTestEnd(test, { status }) {
    this.#done += 1
    if (status !== test.expectedStatus) this.#failed += 1
    console.info(
      `[${this.#done}/${this.#all}${this.#failed ? `, ${this.#failed} failed` : ''}] ${getTestFile(test)} › ${getTestTitle(test)}`,
    )
  }

  /** Receives errors outside of tests, such as a server that did not start. */
  onError(error) {
    this.#errors.push(error)
  }

  onEnd() {
    const tests = this.#suite?.allTests() ?? []
    const failures = tests.filter(isFailed).map((test) => {
      const error = test.results.flatMap(({ errors }) => errors)[0] ?? {
        message: `it ended as ${test.results.at(-1)?.status ?? 'not run'}`,
      }
      return toPlaywrightFailure({
        file: test.location.file,
        line: test.location.line,
        name: getTestTitle(test),
        error,
      })
    })
    const errorsOutsideTests = this.#errors.map((error) =>
      toPlaywrightFailure({
        file: error.location?.file ?? '',
        line: error.location?.line,
        name: 'an error outside of any test',
        error,
      }),
    )
    const secondsByFile = new Map()
    for (const test of tests) {
      const durationSeconds = test.results.reduce((sum, result) => sum + result.duration, 0) / 1000
      secondsByFile.set(
        getTestFile(test),
        (secondsByFile.get(getTestFile(test)) ?? 0) + durationSeconds,
      )
    }
    const testReport = {
      passed: tests.filter((test) => test.outcome() === 'expected').length,
      skipped: tests.filter((test) => test.outcome() === 'skipped').length,
      failures: [...failures, ...errorsOutsideTests],
      files: [...secondsByFile].map(([file, total]) => ({ file, seconds: total })),
    }
    writeFileSync(process.env.TEST_REPORT, JSON.stringify(testReport))
  }
}
