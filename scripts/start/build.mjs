import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePrograms, getProgramSources } from './bundle.mjs'
import { hashFiles, readText } from './files.mjs'
import {
  arePagesCurrent,
  buildWithLock,
  hasBuiltPages,
  makePagesCurrent,
  movePages,
} from './pages.mjs'
import { formatSecondsSince, PlainError, runQuietly } from './run-quietly.mjs'

const bundledSources = [
  'lib',
  'sandbox',
  'scripts/cli',
  'scripts/start',
  'tsconfig.json',
  'package-lock.json',
]

/**
 * The .env files are not included: the server reads its settings when it starts, and the build
 * contains none of them (there is no NEXT_PUBLIC_ variable).
 */
const pageSourceFolders = ['app', 'components', 'public', 'drizzle']
const pageSourceFiles = [
  'proxy.ts',
  'instrumentation.ts',
  'instrumentation-client.ts',
  'next.config.mjs',
  'postcss.config.mjs',
  'tailwind.config.ts',
]

export const hashPrograms = (root) => hashFiles(root, bundledSources, [process.version])

/** Returns a hash of all sources of a build, and of the Node version. */
export const hashBuild = (root) =>
  hashFiles(root, [...bundledSources, ...pageSourceFolders, ...pageSourceFiles], [process.version])

const getProgramsHashFile = (root) => join(root, 'build/.ensure-programs')

const areProgramsCurrent = (root, hash) =>
  readText(getProgramsHashFile(root)) === hash &&
  Object.keys(getProgramSources(root)).every((name) => existsSync(join(root, `${name}.mjs`)))

/** A running server is not affected, because it has already loaded its program. */
export async function ensurePrograms(root) {
  const hash = hashPrograms(root)
  if (areProgramsCurrent(root, hash)) return
  // Remove the marker first: after an interrupted run, the bundles must not count as current.
  rmSync(getProgramsHashFile(root), { force: true })
  await bundlePrograms(root).catch((error) => {
    throw new PlainError(`bundling failed\n${error.message}`)
  })
  writeFileSync(getProgramsHashFile(root), hash)
}

async function buildPagesAndPrograms(root, hash) {
  if (!hasBuiltPages(root, hash)) {
    const nextCommand = [join(root, 'node_modules/next/dist/bin/next'), 'build']
    const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
    await runQuietly(process.execPath, nextCommand, { cwd: root, env, what: 'next build' })
    movePages(root, hash)
  }
  await ensurePrograms(root)
  makePagesCurrent(root, hash)
}

/** A running server continues to serve its own pages. The next start serves the new ones. */
export async function ensureBuild(root, say) {
  const hash = hashBuild(root)
  const isBuildCurrent = () =>
    arePagesCurrent(root, hash) && areProgramsCurrent(root, hashPrograms(root))
  if (isBuildCurrent()) return
  const printWaitMessage = (otherPid) => say(`waiting for the build of process ${otherPid}…`)
  await buildWithLock(root, printWaitMessage, async () => {
    if (isBuildCurrent()) return
    const startedAt = Date.now()
    say('building the dashboard and the sandbox…')
    await buildPagesAndPrograms(root, hash)
    say(`built in ${formatSecondsSince(startedAt)}`)
  })
}
