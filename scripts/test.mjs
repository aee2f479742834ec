// Runs before node_modules exists, so this file and its imports use only Node.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import './end-with-parent.mjs'
import { memoryFolder } from './test/memory-folder.mjs'
import { failureLines, secondsText, showProgress, slowestLines, stepLine } from './test/print.mjs'
import { runStep, stopRunning } from './test/run-step.mjs'
import { selectSteps, testFiles, unknownNames } from './test/select.mjs'
import { root, stages, steps } from './test/steps.mjs'

const isFull = process.argv.includes('--full')
const names = process.argv.slice(2).filter((name) => name !== '--full')
/** The seed of the random samples and of the test order. */
const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
const command = [isFull ? 'npm run test:full' : 'npm test', ...(names.length ? ['--', ...names] : [])].join(' ')

function quit(line) {
  console.error(line)
  process.exit(1)
}

const files = testFiles(root)
const unknown = unknownNames(names, files)
if (unknown.length)
  quit(`${unknown.join(', ')}: no test file has this in its path, and no step this name (${Object.keys(steps).join(', ')})`)
if (!Number.isInteger(seed)) quit('TEST_SEED must be a whole number')
const chosen = selectSteps(names, files, isFull)
const folder = memoryFolder()
const env = {
  ...process.env,
  TEST_SEED: String(seed),
  TEST_FULL: isFull ? '1' : '',
  ...(folder ? { TMPDIR: folder, TEST_STORES: folder } : {}),
}
const start = Date.now()
const results = []
let stopping = false

const order = stages.flat(2).filter((name) => chosen.has(name))
console.info(`${command}: ${order.join(', ')}; seed ${seed}`)
mkdirSync(join(root, 'test-results'), { recursive: true })
const progress = showProgress()
process.on('exit', () => folder && rmSync(folder, { recursive: true, force: true }))

async function stop(why) {
  if (stopping) return
  stopping = true
  progress.stop()
  console.info(`${why}: ending what runs…`)
  await stopRunning()
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))

const hasFailed = (name) => results.some((result) => result.name === name && result.failures.length > 0)

/** Runs a selected step, unless a step that it requires has failed. */
async function run(name) {
  const limitedTo = chosen.get(name)
  if (!limitedTo || stopping) return
  const failedStep = ['deps', ...(steps[name].needs ?? [])].find(hasFailed)
  if (failedStep) return progress.print(`– ${name.padEnd(17)} not run, because ${failedStep} failed`)
  const result = await runStep(name, { files: limitedTo, seed, env })
  if (stopping) return
  results.push(result)
  progress.print(stepLine(result))
}

async function runLane(lane) {
  for (const name of lane) await run(name)
}

// Later steps run even after a failure, so that one run shows every error.
for (const lanes of stages) await Promise.all(lanes.map(runLane))
progress.stop()

if (!stopping) {
  const slowest = slowestLines(results)
  if (slowest.length) console.info(['', 'slowest files', ...slowest].join('\n'))
  const failures = results.flatMap((result) => result.failures)
  // The failures are printed last, so that a long run ends with them.
  for (const failure of failures) console.info(['', ...failureLines(failure)].join('\n'))
  const logs = results.filter((result) => result.failures.length).map(({ name }) => `test-results/${name}.log`)
  if (logs.length) console.info(`\nwhole output: ${logs.join(', ')}`)
  const passed = results.reduce((sum, result) => sum + (result.passed ?? 0), 0)
  const total = secondsText((Date.now() - start) / 1000)
  console.info(`\n${passed.toLocaleString('en-US')} passed, ${failures.length} failed in ${total}; TEST_SEED=${seed} ${command} repeats it`)
  process.exitCode = failures.length ? 1 : 0
}
