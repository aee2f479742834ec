import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outsideErrors } from './outside-errors.mjs'
import { browserFigures, vitestFigures } from './test-reports.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (path) => join(root, 'node_modules', path)
const report = (name) => join(root, 'test-results', `${name}.json`)

const vitest = (name, projects, ...flags) => ({
  command: [bin('vitest/vitest.mjs'), 'run', ...projects.flatMap((project) => ['--project', project]), ...flags],
  reporters: ['--reporter=default', '--reporter=json', '--reporter=./scripts/outside-errors.mjs', `--outputFile.json=${report(name)}`],
  count: vitestFigures,
  outside: join(root, outsideErrors),
})

/** The browser tests of one dialect, with a desk and a sandbox of that dialect alone. */
const browser = (dialect) => ({
  // In another order each time; it prints the seed.
  command: [bin('@playwright/test/cli.js'), 'test', '--shuffle', `--project=${dialect}`],
  env: { BROWSER_DIALECT: dialect },
  reporters: [],
  report: report('e2e'),
  count: browserFigures,
})

/** Everything whose imports are held to the rooms and to having no circle (.dependency-cruiser.mjs). */
const importing = [
  'app',
  'components',
  'lib',
  'sandbox',
  'scripts',
  'tests',
  'e2e',
  'bench',
  'chaos',
  'proxy.ts',
  'instrumentation.ts',
  'instrumentation-client.ts',
]

const quick = ['unit', 'components']
const integration = ['integration', 'integration-provider']

// The build comes first of all (package.json): the integration and the browser tests run it.
const steps = {
  // The native compiler. The package named typescript is the one before it, whose interface tools read our sources with.
  types: { command: [bin('@typescript/native/bin/tsc'), '--noEmit', '-p', '.'] },
  lint: { command: [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'] },
  imports: { command: [bin('dependency-cruiser/bin/dependency-cruise.mjs'), ...importing] },
  // Integration waits for servers of its own half of the time, where the others are bound by the processor: side by side they take what the longer takes.
  vitest: vitest('vitest', [...quick, ...integration], '--maxWorkers=4'),
  unit: vitest('unit', quick),
  integration: vitest('integration', integration, '--maxWorkers=4'),
  // One dialect after the other: side by side, every few tests would need another worker with a browser and sessions of its own.
  browser: browser('document'),
  'browser-provider': browser('provider'),
}

const gibibyte = 2 ** 30

/**
 * A folder in memory for the stores of the tests, or null where there is no room for it: a run writes gigabytes that nobody reads again, and waits for the
 * disk at every commit. What a kill loses is the same there; only a machine that loses power would tell them apart.
 */
function folderInMemory() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize < 8 * gibibyte || freemem() < 10 * gibibyte) return null
    const folder = mkdtempSync('/dev/shm/paydesk-test-')
    // PostgreSQL runs as another user where the tests are root.
    chmodSync(folder, 0o1777)
    return folder
  } catch {
    return null
  }
}

const inMemory = folderInMemory()
/** What is drawn by chance is drawn by this; set it to the printed one to have the same run again. */
const seed = process.env.TEST_SEED ?? String(Math.floor(Math.random() * 2 ** 31))
const env = {
  ...process.env,
  TEST_SEED: seed,
  TEST_FULL: process.argv.includes('--full') ? '1' : '',
  ...(inMemory ? { TMPDIR: inMemory, TEST_STORES: inMemory } : {}),
}
const forget = () => inMemory && rmSync(inMemory, { recursive: true, force: true })
process.on('exit', forget)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const run = (args, more) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, env: { ...env, ...more }, stdio: ['ignore', 'inherit', 'inherit'] })
    child.on('error', () => resolve(1)).on('close', (code) => resolve(code ?? 1))
  })

function counted(step, file) {
  try {
    return step.count(JSON.parse(readFileSync(file, 'utf8')), step.outside && JSON.parse(readFileSync(step.outside, 'utf8')))
  } catch {
    // It broke off before it could report; the exit code speaks below.
    return { passed: 0, failed: 0, failures: [] }
  }
}

/** Runs one step and gives `{ passed, failed, failures }`. A step without tests counts as one; one that fails as a whole fails at least once. */
async function runStep(name) {
  const step = steps[name]
  console.info(`\n── ${name} ${'─'.repeat(60 - name.length)}\n`)
  const file = step.report ?? report(name)
  for (const old of [file, step.outside]) if (old) rmSync(old, { force: true })
  const code = await run([...step.command, ...(step.reporters ?? [])], step.env)
  const figures = step.count ? counted(step, file) : { passed: code === 0 ? 1 : 0, failed: 0, failures: [] }
  if (code === 0 || figures.failed > 0) return figures
  return { ...figures, failed: 1, failures: [...figures.failures, `${name}: ended with exit code ${code}`] }
}

const isFull = process.argv.includes('--full')
const asked = process.argv.slice(2).filter((name) => name !== '--full')
const always = ['types', 'lint', 'imports', 'vitest', 'browser']
const names = asked.length > 0 ? asked : isFull ? [...always, 'browser-provider'] : always
const unknown = names.filter((name) => !steps[name])
if (unknown.length) {
  console.error(`unknown step ${unknown.join(', ')}: use ${Object.keys(steps).join(', ')}`)
  process.exit(1)
}

console.info(`build (done), then ${names.join(', ')}; seed ${seed}`)
mkdirSync(join(root, 'test-results'), { recursive: true })
let passed = 0
let failed = 0
const failures = []
// All of them, even after a failure: one run should show everything that is wrong.
for (const name of names) {
  const result = await runStep(name)
  passed += result.passed
  failed += result.failed
  failures.push(...result.failures)
}
// Named once more at the very end: whoever sees only the last lines of a long run must learn what is wrong.
for (const failure of failures) console.info(`✗ ${failure.replace(root, '')}`)
console.info(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed ? 1 : 0
