import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { projectRoot, testSteps } from './steps.mjs'

const maxKeptLines = 25
/** Milliseconds that a step has to stop its own servers after SIGINT, before it is killed. */
const shutdownGraceMs = 20_000

/** The running steps: name → `{ child, start, lastLine }`. */
export const runningSteps = new Map()

function signalStep({ child }, signal) {
  // The program of the step could not be started.
  if (child.pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

export async function stopRunningSteps() {
  const allSteps = [...runningSteps.values()]
  for (const step of allSteps) signalStep(step, 'SIGINT')
  await Promise.race([
    Promise.all(allSteps.map(({ ended }) => ended)),
    pause(shutdownGraceMs, undefined, { ref: false }),
  ])
  // Processes of a step's group may still run after its program has ended.
  for (const step of allSteps) signalStep(step, 'SIGKILL')
}

/**
 * Starts the program of a step in its own process group, so that signals also reach its child
 * processes. Its output is written to a log file.
 */
function startStep(name, args, env) {
  const stdio = ['ignore', 'pipe', 'pipe']
  const child = spawn(process.execPath, args, {
    cwd: projectRoot,
    env,
    stdio,
    detached: process.platform !== 'win32',
  })
  const runningStep = { child, start: Date.now(), lastLine: '', lastLines: [] }
  const logStream = createWriteStream(join(projectRoot, 'test-results', `${name}.log`))
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      logStream.write(`${line}\n`)
      const plainLine = stripVTControlCharacters(line).trim()
      if (!plainLine) return
      runningStep.lastLines = [...runningStep.lastLines, plainLine].slice(-maxKeptLines)
      // A step with tests also prints other output. Only lines of its reporter, which start with
      // `[`, show the progress.
      if (!testSteps[name].hasTests || /^\[\d/.test(plainLine)) runningStep.lastLine = plainLine
    })
  }
  runningStep.ended = (async () => {
    const closePromise = once(child, 'close')
    const [code] = await once(child, 'exit').catch((error) => [error.message])
    // Wait at most five seconds for the end of the output, because a process that the step left
    // behind may keep it open.
    await Promise.race([closePromise, pause(5000, undefined, { ref: false })])
    logStream.end()
    return code
  })()
  return runningStep
}

const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The step ended before it wrote a report.
    return { passed: 0, skipped: 0, failures: [], files: [] }
  }
}

/**
 * Describes a step in which no tests were found, or whose program failed although no test failed.
 */
function toStepFailure(name, exitCode, lines) {
  const hasNoTests = lines.some((line) => /No test(s| files) found/.test(line))
  return {
    file: `test-results/${name}.log`,
    name: `${name} ended with ${exitCode}`,
    lines: hasNoTests ? ['only the full run has these tests: npm run test:full -- NAME'] : lines,
  }
}

/**
 * Runs a step of the tests and returns `{ name, seconds, passed, skipped, failures, files }`.
 * @param {{ files: string[], seed: number, env: Record<string, string | undefined> }} options If
 *   `files` is empty, all files run.
 */
export async function runStep(name, { files, seed, env }) {
  const stepDefinition = testSteps[name]
  const reportPath = join(projectRoot, 'test-results', `${name}.json`)
  rmSync(reportPath, { force: true })
  const stepArgs = [
    ...stepDefinition.command,
    ...(stepDefinition.options?.({ seed, files }) ?? []),
    ...files.map((file) => stepDefinition.toFilter(file)),
  ]
  const startedStep = startStep(name, stepArgs, {
    ...env,
    ...stepDefinition.env,
    TEST_REPORT: reportPath,
  })
  runningSteps.set(name, startedStep)
  const exitCode = await startedStep.ended
  runningSteps.delete(name)
  const stepReport = stepDefinition.hasTests ? readReport(reportPath) : { failures: [] }
  // A failure without a file comes from a server that the tests use. The end of the log shows the
  // cause.
  const addLogLines = ({ file, lines }) =>
    file ? lines : [...lines, ...startedStep.lastLines.slice(-8)]
  const reportedFailures = stepReport.failures.map((failure) => ({
    ...failure,
    lines: addLogLines(failure),
  }))
  const failures =
    exitCode === 0 || reportedFailures.length > 0
      ? reportedFailures
      : [toStepFailure(name, exitCode, startedStep.lastLines)]
  return { ...stepReport, name, seconds: (Date.now() - startedStep.start) / 1000, failures }
}
