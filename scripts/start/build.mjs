import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePrograms, programs } from './bundle.mjs'
import { hashFiles, textOf } from './files.mjs'
import { areCurrent, buildAlone, hasPages, keepPages, switchPages } from './pages.mjs'
import { PlainError, runQuietly, secondsSince } from './run-quietly.mjs'

const bundled = ['lib', 'sandbox', 'scripts/cli', 'scripts/start', 'tsconfig.json', 'package-lock.json']

/**
 * The further sources of Next's build. Settings are not among them: the server reads them when it starts, and none is built in
 * (NEXT_PUBLIC_).
 */
const pageFolders = ['app', 'components', 'public', 'drizzle']
const pageFiles = [
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
export const buildHash = (root) => hashFiles(root, [...bundled, ...pageFolders, ...pageFiles], [process.version])

/** The file with the hash of the sources of the last bundled programs. */
const programsMarker = (root) => join(root, 'build/.ensure-programs')

const hasPrograms = (root, hash) =>
  textOf(programsMarker(root)) === hash && Object.keys(programs(root)).every((name) => existsSync(join(root, `${name}.mjs`)))

/** Bundles the sandbox and the commands. A running server is not affected: it has loaded its program, and Next has its pages. */
export async function ensurePrograms(root) {
  const hash = programsHash(root)
  if (hasPrograms(root, hash)) return
  // If this is interrupted, no marker is left.
  rmSync(programsMarker(root), { force: true })
  await bundlePrograms(root).catch((error) => {
    throw new PlainError(`bundling failed\n${error.message}`)
  })
  writeFileSync(programsMarker(root), hash)
}

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
  const isBuilt = () => areCurrent(root, hash) && hasPrograms(root, programsHash(root))
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
