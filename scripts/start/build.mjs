import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePrograms, listPrograms } from './bundle.mjs'
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
export const hashPrograms = (root) => hashFiles(root, bundledSources, [process.version])

/** Returns a hash of all sources of a build, and of the Node version. */
export const hashBuild = (root) => hashFiles(root, [...bundledSources, ...pageFolders, ...pageFiles], [process.version])

/** Returns the path of the file with the hash of the last bundled programs. */
const getProgramsMarker = (root) => join(root, 'build/.ensure-programs')

const hasPrograms = (root, hash) =>
  readText(getProgramsMarker(root)) === hash && Object.keys(listPrograms(root)).every((name) => existsSync(join(root, `${name}.mjs`)))

/** Bundles the sandbox and the commands, unless they are current. A running server is not affected: it has already loaded its program. */
export async function ensurePrograms(root) {
  const hash = hashPrograms(root)
  if (hasPrograms(root, hash)) return
  // Removed first, so that an interrupted run leaves no marker.
  rmSync(getProgramsMarker(root), { force: true })
  await bundlePrograms(root).catch((error) => {
    throw new PlainError(`bundling failed\n${error.message}`)
  })
  writeFileSync(getProgramsMarker(root), hash)
}

async function buildPages(root, hash) {
  if (!hasPages(root, hash)) {
    const nextCommand = [join(root, 'node_modules/next/dist/bin/next'), 'build']
    const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
    await runQuietly(process.execPath, nextCommand, { cwd: root, env, what: 'next build' })
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
  const hash = hashBuild(root)
  const isBuilt = () => arePagesCurrent(root, hash) && hasPrograms(root, hashPrograms(root))
  if (isBuilt()) return
  const noteWait = (other) => say(`waiting for the build of process ${other}…`)
  await buildWithLock(root, noteWait, async () => {
    if (isBuilt()) return
    const startedAt = Date.now()
    say('building the dashboard and the sandbox…')
    await buildPages(root, hash)
    say(`built in ${secondsSince(startedAt)}`)
  })
}
