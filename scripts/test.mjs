// Runs before node_modules exists, so this file and its imports use only Node.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import './end-with-parent.mjs'
import { findMemoryFolder } from './test/memory-folder.mjs'
import { formatFailure, formatSeconds, formatSlowestFiles, formatStepLine, showProgress } from './test/print.mjs'
import { runStep, stopRunning } from './test/run-step.mjs'
import { findUnknownNames, listTestFiles, selectSteps } from './test/select.mjs'
import { root, stepStages, steps } from './test/steps.mjs'

const isFull = process.argv.includes('--full')
const names = process.argv.slice(2).filter((name) => name !== '--full')
/** The seed of the random samples and of the test order. */
const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
const command = [isFull ? 'npm run test:full' : 'npm test', ...(names.length ? ['--', ...names] : [])].join(' ')

function quit(line) {
  console.error(line)
  process.exit(1)
}

const files = listTestFiles(root)
const unknownTestNames = findUnknownNames(names, files)
if (unknownTestNames.length)
  quit(`${unknownTestNames.join(', ')}: no test file has this in its path, and no step this name (${Object.keys(steps).join(', ')})`)
if (!Number.isInteger(seed)) quit('TEST_SEED must be a whole number')
const chosenSteps = selectSteps(names, files, isFull)
const folder = findMemoryFolder()
const env = {
  ...process.env,
  TEST_SEED: String(seed),
  TEST_FULL: isFull ? '1' : '',
  ...(folder ? { TMPDIR: folder, TEST_STORES: folder } : {}),
}
const startedAt = Date.now()
const results = []
let isStopping = false

const stepOrder = stepStages.flat(2).filter((name) => chosenSteps.has(name))
console.info(`${command}: ${stepOrder.join(', ')}; seed ${seed}`)
mkdirSync(join(root, 'test-results'), { recursive: true })
const progress = showProgress()
process.on('exit', () => folder && rmSync(folder, { recursive: true, force: true }))

async function stopAll(why) {
  if (isStopping) return
  isStopping = true
  progress.stop()
  console.info(`${why}: ending what runs…`)
  await stopRunning()
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopAll(signal))

const hasFailed = (name) => results.some((result) => result.name === name && result.failures.length > 0)

/** Runs a selected step, unless a step that it requires has failed. */
async function runNamedStep(name) {
  const limitedTo = chosenSteps.get(name)
  if (!limitedTo || isStopping) return
  const failedStep = ['deps', ...(steps[name].needs ?? [])].find(hasFailed)
  if (failedStep) return progress.print(`– ${name.padEnd(17)} not run, because ${failedStep} failed`)
  const result = await runStep(name, { files: limitedTo, seed, env })
  if (isStopping) return
  results.push(result)
  progress.print(formatStepLine(result))
}

async function runStepsInOrder(lane) {
  for (const name of lane) await runNamedStep(name)
}

// Later steps run even after a failure, so that one run shows every error.
for (const lanes of stepStages) await Promise.all(lanes.map(runStepsInOrder))
progress.stop()

if (!isStopping) {
  const slowestTexts = formatSlowestFiles(results)
  if (slowestTexts.length) console.info(['', 'slowest files', ...slowestTexts].join('\n'))
  const failures = results.flatMap((result) => result.failures)
  // The failures are printed last, so that a long run ends with them.
  for (const failure of failures) console.info(['', ...formatFailure(failure)].join('\n'))
  const logFiles = results.filter((result) => result.failures.length).map(({ name }) => `test-results/${name}.log`)
  if (logFiles.length) console.info(`\nwhole output: ${logFiles.join(', ')}`)
  const passedCount = results.reduce((sum, result) => sum + (result.passed ?? 0), 0)
  const total = formatSeconds((Date.now() - startedAt) / 1000)
  console.info(
    `\n${passedCount.toLocaleString('en-US')} passed, ${failures.length} failed in ${total}; TEST_SEED=${seed} ${command} repeats it`,
  )
  process.exitCode = failures.length ? 1 : 0
}
