import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { toVitestFailure } from './failures.mjs'
import { projectRoot } from './steps.mjs'

function sumFileSeconds(module) {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic()
  return (
    (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000
  )
}

/**
 * Returns the errors of a test file with the names of their tests. `name` is empty for an error of
 * the file itself.
 */
function collectErrors(module) {
  const suitesAndTests = [...module.children.allSuites(), ...module.children.allTests()]
  const errorsInsideTests = suitesAndTests.flatMap((task) =>
    (task.errors?.() ?? task.result().errors ?? []).map((error) => ({
      name: task.fullName,
      error,
    })),
  )
  return [...module.errors().map((error) => ({ name: '', error })), ...errorsInsideTests]
}

const toDialectSuffix = (module) => (module.project.name.endsWith('-provider') ? ' (provider)' : '')
const toFileLabel = (module) =>
  `${relative(projectRoot, module.moduleId)}${toDialectSuffix(module)}`

/** Prints `[done/all] file`. Writes the results to the file that TEST_REPORT names. */
export default class VitestReporter {
  #all = 0
  #done = 0
  #failed = 0

  onTestRunStart(specifications) {
    this.#all = specifications.length
  }

  onTestModuleEnd(module) {
    this.#done += 1
    if (!module.ok()) this.#failed += 1
    console.info(
      `[${this.#done}/${this.#all}${this.#failed ? `, ${this.#failed} failed` : ''}] ${toFileLabel(module)}`,
    )
  }

  onTestRunEnd(modules, unhandledErrors) {
    const testStates = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    )
    const failures = modules.flatMap((module) =>
      collectErrors(module).map(({ name, error }) =>
        toVitestFailure({
          file: module.moduleId,
          name: `${name}${toDialectSuffix(module)}`,
          error,
        }),
      ),
    )
    const errorsOutsideTests = unhandledErrors.map((error) =>
      toVitestFailure({
        file: error.stacks?.[0]?.file ?? '',
        name: 'an error outside of any test',
        error,
      }),
    )
    const report = {
      passed: testStates.filter((state) => state === 'passed').length,
      skipped: testStates.filter((state) => state === 'skipped').length,
      failures: [...failures, ...errorsOutsideTests],
      files: modules.map((module) => ({
        file: toFileLabel(module),
        seconds: sumFileSeconds(module),
      })),
    }
    writeFileSync(process.env.TEST_REPORT, JSON.stringify(report))
  }
}
