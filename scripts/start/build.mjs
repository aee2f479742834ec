import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePrograms, getProgramSources } from './bundle.mjs'
import { hashFiles, readText } from './files.mjs'
import {
  arePagesCurrent,
  buildWithLock,
  hasBuiltPages,
  makePagesCurrent,
  moveBuiltPages,
} from './pages.mjs'
import { formatSecondsSince, runQuietly, UserFacingError } from './run-quietly.mjs'

const bundledSources = [
  'lib',
  'sandbox',
  'scripts/cli',
  'scripts/start',
  'tsconfig.json',
  'package-lock.json',
]

/**
 * Sources of the pages, from which the build gets its hash. The .env files are not included: the
 * server reads its settings when it starts, and the build contains none of them (there is no
 * NEXT_PUBLIC_ variable).
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

export const hashProgramSources = (root) => hashFiles(root, bundledSources, [process.version])

/** Returns a hash of all sources of a build, and of the Node version. */
export const hashBuildSources = (root) =>
  hashFiles(root, [...bundledSources, ...pageSourceFolders, ...pageSourceFiles], [process.version])

const getProgramsHashFile = (root) => join(root, 'build/.ensure-programs')

const areProgramsCurrent = (root, hash) =>
  readText(getProgramsHashFile(root)) === hash &&
  Object.keys(getProgramSources(root)).every((name) => existsSync(join(root, `${name}.mjs`)))

/**
 * Bundles the programs if their sources have changed. A running server is not affected, because it
 * has already loaded its program.
 */
export async function ensurePrograms(root) {
  const programsHash = hashProgramSources(root)
  if (areProgramsCurrent(root, programsHash)) return
  // Remove the hash file first: after an interrupted run, the bundles must not count as current.
  rmSync(getProgramsHashFile(root), { force: true })
  await bundlePrograms(root).catch((error) => {
    throw new UserFacingError(`bundling failed\n${error.message}`)
  })
  writeFileSync(getProgramsHashFile(root), programsHash)
}

async function buildPagesAndPrograms(root, hash) {
  if (!hasBuiltPages(root, hash)) {
    const nextCommand = [join(root, 'node_modules/next/dist/bin/next'), 'build']
    const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
    await runQuietly(process.execPath, nextCommand, { cwd: root, env, what: 'next build' })
    moveBuiltPages(root, hash)
  }
  await ensurePrograms(root)
  makePagesCurrent(root, hash)
}

/**
 * Builds the pages and programs if their sources have changed. A running server continues to serve
 * its own pages. The next start serves the new ones.
 */
export async function ensureBuild(root, printLine) {
  const buildHash = hashBuildSources(root)
  const isBuildCurrent = () =>
    arePagesCurrent(root, buildHash) && areProgramsCurrent(root, hashProgramSources(root))
  if (isBuildCurrent()) return
  const printWaitMessage = (otherPid) => printLine(`waiting for the build of process ${otherPid}…`)
  await buildWithLock(root, printWaitMessage, async () => {
    if (isBuildCurrent()) return
    const startedAt = Date.now()
    printLine('building the dashboard and the sandbox…')
    await buildPagesAndPrograms(root, buildHash)
    printLine(`built in ${formatSecondsSince(startedAt)}`)
  })
}
