import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

const flagDefinitions = {
  seeds: { type: 'string', default: '1000' },
  first: { type: 'string', default: '1' },
  desks: { type: 'string', default: '2' },
  pages: { type: 'string', default: '6' },
  writes: { type: 'string', default: '8' },
}

function exitWithError(line) {
  console.error(line)
  process.exit(2)
}

function readFlags() {
  try {
    return parseArgs({ allowPositionals: true, options: flagDefinitions })
  } catch (error) {
    return exitWithError(error.message)
  }
}

const { values, positionals } = readFlags()
if (positionals.length !== 1 || positionals[0] !== 'odd')
  exitWithError(
    'usage: npm run chaos -- odd [--seeds N] [--first N] [--desks N] [--pages N] [--writes N]',
  )
for (const [name, value] of Object.entries(values))
  if (!/^[1-9]\d{0,8}$/.test(value)) exitWithError(`--${name} must be a whole number from 1`)
const chaosPlan = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [name, Number(value)]),
)

/** Stub for vitest, which the test harness imports. The real one works only in its own runs. */
const vitestStubPlugin = {
  name: 'without-vitest',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^vitest$/ }, () => ({ path: 'vitest', namespace: 'without-vitest' }))
    onLoad({ filter: /.*/, namespace: 'without-vitest' }, () => ({
      contents: "export const inject = () => 'document'",
    }))
  },
}

/** Bundles and loads the code of the run. It is TypeScript, because a test runs a few seeds too. */
async function bundleAndImportRounds() {
  const outfile = join(root, 'build/chaos/odd.mjs')
  const bundleOptions = {
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
    plugins: [vitestStubPlugin],
  }
  await build({
    entryPoints: [join(root, 'chaos/odd/command.ts')],
    absWorkingDir: root,
    outfile,
    ...bundleOptions,
  })
  return import(pathToFileURL(outfile).href)
}

const { oddRounds, tally } = await bundleAndImportRounds()
console.info(
  `${chaosPlan.seeds} seeds from ${chaosPlan.first}, ${chaosPlan.desks} desks; each seed draws every ${chaosPlan.pages}th page and sends every ${chaosPlan.writes}th write`,
)
const verdict = await oddRounds(chaosPlan, (line) => console.info(line))
for (const [line, count] of tally(verdict.refusals))
  console.info(`${count} x refused, nothing was done: ${line}`)
const { seeds, pages, applied, refused, seconds, faults } = verdict
console.info(
  `${seeds} seeds in ${Math.round(seconds)} s: ${pages} pages drawn, ${applied} writes applied, ${refused} refused, ${faults.length} faults`,
)
if (faults.length > 0) process.exitCode = 1
