import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePrograms, programs } from './bundle.mjs'
import { hashFiles, readText } from './files.mjs'
import { arePagesCurrent, buildWithLock, hasPages, movePages, switchPages } from './pages.mjs'
import { PlainError, runQuietly, secondsSince } from './run-quietly.mjs'

const bundledSources = ['lib', 'sandbox', 'scripts/cli', 'scripts/start', 'tsconfig.json', 'package-lock.json']

/**
 * The sources of Next's build, beside those of the programs. The settings are not included, because the server reads them when it starts.
 * The build contains none of them (there is no NEXT_PUBLIC_ variable).
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

/** Returns a hash of the sources of the bundled programs, and of the Node version. */
export const programsHash = (root) => hashFiles(root, bundledSources, [process.version])

/** Returns a hash of all sources of a build, and of the Node version. */
export const buildHash = (root) => hashFiles(root, [...bundledSources, ...pageFolders, ...pageFiles], [process.version])

/** Returns the path of the file with the hash of the last bundled programs. */
const programsMarker = (root) => join(root, 'build/.ensure-programs')

const hasPrograms = (root, hash) =>
  readText(programsMarker(root)) === hash && Object.keys(programs(root)).every((name) => existsSync(join(root, `${name}.mjs`)))

/** Bundles the sandbox and the commands, unless they are current. A running server is not affected: it has already loaded its program. */
export async function ensurePrograms(root) {
  const hash = programsHash(root)
  if (hasPrograms(root, hash)) return
  // Removed first, so that an interrupted run leaves no marker.
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
    movePages(root, hash)
  }
  await ensurePrograms(root)
  switchPages(root, hash)
}

/**
 * Builds the dashboard, the sandbox and the commands, unless the last build had the same sources. A running server keeps its pages; the
 * next start serves the new ones.
 */
export async function ensureBuild(root, say) {
  const hash = buildHash(root)
  const isBuilt = () => arePagesCurrent(root, hash) && hasPrograms(root, programsHash(root))
  if (isBuilt()) return
  const noteWait = (other) => say(`waiting for the build of process ${other}…`)
  await buildWithLock(root, noteWait, async () => {
    if (isBuilt()) return
    const start = Date.now()
    say('building the dashboard and the sandbox…')
    await build(root, hash)
    say(`built in ${secondsSince(start)}`)
  })
}
