// Runs before node_modules exists, so this file and its imports use only modules of Node itself.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import './end-with-parent.mjs'
import { createMemoryFolder } from './test/memory-folder.mjs'
import {
  formatFailure,
  formatSeconds,
  formatSlowestFiles,
  formatStepLine,
  showProgress,
} from './test/print.mjs'
import { runStep, stopRunningSteps } from './test/run-step.mjs'
import { findUnknownNames, listTestFiles, selectSteps } from './test/select.mjs'
import { projectRoot, stepSchedule, testSteps } from './test/steps.mjs'

const isFullRun = process.argv.includes('--full')
const selectedNames = process.argv.slice(2).filter((name) => name !== '--full')
/** The seed of the random test data and of the order of the tests. */
const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
const commandLine = [
  isFullRun ? 'npm run test:full' : 'npm test',
  ...(selectedNames.length ? ['--', ...selectedNames] : []),
].join(' ')

function exitWithError(line) {
  console.error(line)
  process.exit(1)
}

const testFiles = listTestFiles(projectRoot)
const unknownTestNames = findUnknownNames(selectedNames, testFiles)
if (unknownTestNames.length)
  exitWithError(
    `${unknownTestNames.join(', ')}: no test file has this in its path, and no step this name (${Object.keys(testSteps).join(', ')})`,
  )
if (!Number.isInteger(seed)) exitWithError('TEST_SEED must be a whole number')
const filesByStep = selectSteps(selectedNames, testFiles, isFullRun)
const memoryFolder = createMemoryFolder()
const stepEnv = {
  ...process.env,
  TEST_SEED: String(seed),
  TEST_FULL: isFullRun ? '1' : '',
  ...(memoryFolder ? { TMPDIR: memoryFolder, TEST_STORES: memoryFolder } : {}),
}
const startedAt = Date.now()
const stepResults = []
let isStopping = false

const stepOrder = stepSchedule.flat(2).filter((name) => filesByStep.has(name))
console.info(`${commandLine}: ${stepOrder.join(', ')}; seed ${seed}`)
mkdirSync(join(projectRoot, 'test-results'), { recursive: true })
const progressDisplay = showProgress()
process.on('exit', () => memoryFolder && rmSync(memoryFolder, { recursive: true, force: true }))

async function stopAllSteps(reason) {
  if (isStopping) return
  isStopping = true
  progressDisplay.stop()
  console.info(`${reason}: ending what runs…`)
  await stopRunningSteps()
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopAllSteps(signal))

const hasFailed = (name) =>
  stepResults.some((result) => result.name === name && result.failures.length > 0)

async function runNamedStep(name) {
  const selectedFiles = filesByStep.get(name)
  if (!selectedFiles || isStopping) return
  const failedRequirement = ['deps', ...(testSteps[name].needs ?? [])].find(hasFailed)
  if (failedRequirement)
    return progressDisplay.print(
      `– ${name.padEnd(17)} not run, because ${failedRequirement} failed`,
    )
  const result = await runStep(name, { files: selectedFiles, seed, env: stepEnv })
  if (isStopping) return
  stepResults.push(result)
  progressDisplay.print(formatStepLine(result))
}

async function runStepsInOrder(stepNames) {
  for (const name of stepNames) await runNamedStep(name)
}

// Later steps run even after a failure, so that one run shows every error.
for (const lanes of stepSchedule) await Promise.all(lanes.map(runStepsInOrder))
progressDisplay.stop()

if (!isStopping) {
  const slowestFileLines = formatSlowestFiles(stepResults)
  if (slowestFileLines.length) console.info(['', 'slowest files', ...slowestFileLines].join('\n'))
  const failures = stepResults.flatMap((result) => result.failures)
  // The failures are printed last, so that a long run ends with them.
  for (const failure of failures) console.info(['', ...formatFailure(failure)].join('\n'))
  const logFiles = stepResults
    .filter((result) => result.failures.length)
    .map(({ name }) => `test-results/${name}.log`)
  if (logFiles.length) console.info(`\nwhole output: ${logFiles.join(', ')}`)
  const passedCount = stepResults.reduce((sum, result) => sum + (result.passed ?? 0), 0)
  const totalTime = formatSeconds((Date.now() - startedAt) / 1000)
  console.info(
    `\n${passedCount.toLocaleString('en-US')} passed, ${failures.length} failed in ${totalTime}; TEST_SEED=${seed} ${commandLine} repeats it`,
  )
  process.exitCode = failures.length ? 1 : 0
}
