import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundlePrograms, programs } from './bundle.mjs'
import { hashFiles } from './hash-files.mjs'
import { areCurrent, buildAlone, hasPages, keepPages, switchPages } from './pages.mjs'
import { PlainError, runQuietly, secondsSince } from './run-quietly.mjs'

const bundled = ['lib', 'sandbox', 'scripts/cli', 'tsconfig.json', 'package-lock.json', 'scripts/start']

/**
 * The further sources of Next's build. Settings are not among them: the server reads them when it starts, and none is built in
 * (NEXT_PUBLIC_).
 */
const built = [
  'app',
  'components',
  'public',
  'drizzle',
  'proxy.ts',
  'instrumentation.ts',
  'instrumentation-client.ts',
  'next.config.mjs',
  'postcss.config.mjs',
  'tailwind.config.ts',
]

/** Changes when the programs would change. */
export const programsHash = (root) => hashFiles(root, bundled, [process.version])

/** Changes when the result of a build would change. */
export const buildHash = (root) => hashFiles(root, [...bundled, ...built], [process.version])

/** Returns true if the last result of a step, whose hash is in `marker`, has these sources and all its files. */
const isDone = (root, { marker, hash, files }) =>
  [marker, ...files].every((path) => existsSync(join(root, path))) && readFileSync(join(root, marker), 'utf8') === hash

/** Runs a step unless it is done. An interrupted step is not marked as done. */
async function doUnlessDone(root, step, work) {
  if (isDone(root, step)) return
  rmSync(join(root, step.marker), { force: true })
  await work()
  mkdirSync(dirname(join(root, step.marker)), { recursive: true })
  writeFileSync(join(root, step.marker), step.hash)
}

const programsOf = (root) => ({
  marker: 'build/.ensure-programs',
  hash: programsHash(root),
  files: Object.keys(programs(root)).map((name) => `${name}.mjs`),
})

/** Bundles the sandbox and the commands. A running server is not affected: it has loaded its program, and Next has its pages. */
export const ensurePrograms = (root) =>
  doUnlessDone(root, programsOf(root), () =>
    bundlePrograms(root).catch((error) => {
      throw new PlainError(`bundling failed\n${error.message}`)
    }),
  )

async function build(root, hash) {
  if (!hasPages(root, hash)) {
    const next = [join(root, 'node_modules/next/dist/bin/next'), 'build']
    const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
    await runQuietly(process.execPath, next, { cwd: root, env, what: 'next build' })
    keepPages(root, hash)
  }
  await ensurePrograms(root)
  switchPages(root, hash)
}

/**
 * Builds the dashboard, the sandbox and the commands, unless the last build has the same sources. Builds beside the pages of a running
 * server; the next start serves the new ones.
 */
export async function ensureBuild(root, say) {
  const hash = buildHash(root)
  const isBuilt = () => areCurrent(root, hash) && isDone(root, programsOf(root))
  if (isBuilt()) return
  const noteWait = (other) => say(`waiting for the build of process ${other}…`)
  await buildAlone(root, noteWait, async () => {
    if (isBuilt()) return
    const start = Date.now()
    say('building the dashboard and the sandbox…')
    await build(root, hash)
    say(`built in ${secondsSince(start)}`)
  })
}
