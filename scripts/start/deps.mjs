import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashFiles, readText } from './files.mjs'
import { listRunningServerPids } from './pages.mjs'
import { formatSecondsSince, runQuietly, UserFacingError } from './run-quietly.mjs'

const readJson = (root, path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/**
 * Returns a hash of everything that affects an install: package.json files (without their
 * `scripts`), the lock file, the Node version and the platform.
 */
export function hashDeps(root, runtime = `${process.version} ${process.platform} ${process.arch}`) {
  const { workspaces = [] } = readJson(root, 'package.json')
  const packageJsonPaths = ['package.json', ...workspaces.map((folder) => `${folder}/package.json`)]
  const manifests = packageJsonPaths.map((path) => ({
    ...readJson(root, path),
    scripts: undefined,
  }))
  return hashFiles(root, ['package-lock.json'], [manifests, runtime])
}

const isAllowedByList = (list, value) => !list || list.includes(value)

/**
 * Returns the C library of this Linux system, because a native package is built for either glibc or
 * musl. `excludeNetwork` keeps Node's report fast.
 */
function detectCLibrary() {
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
}

const isForThisPlatform = ({ os, cpu, libc }) =>
  isAllowedByList(os, process.platform) &&
  isAllowedByList(cpu, process.arch) &&
  (!libc || isAllowedByList(libc, detectCLibrary()))

/**
 * Returns true if node_modules has the packages of the lock file. Reads npm's own record in
 * node_modules, which also covers a manual `npm ci`.
 */
function arePackagesInstalled(root, lockEntries) {
  const installRecordPath = 'node_modules/.package-lock.json'
  if (!existsSync(join(root, installRecordPath))) return false
  const installedPackages = readJson(root, installRecordPath).packages
  const hasEveryRequiredPackage = Object.entries(lockEntries).every(
    ([path, { optional }]) => !path || optional || installedPackages[path],
  )
  const matchesLockEntry = (path, { version, integrity }) =>
    lockEntries[path]?.version === version && lockEntries[path].integrity === integrity
  return (
    hasEveryRequiredPackage &&
    Object.entries(installedPackages).every(
      ([path, entry]) => matchesLockEntry(path, entry) && isForThisPlatform(entry),
    )
  )
}

/**
 * Throws if a locked package has no integrity hash, because npm could not verify its content. Links
 * and bundled packages need no hash.
 */
function checkIntegrity(packages) {
  const lacksIntegrity = ([path, { link, inBundle, integrity }]) =>
    path.includes('node_modules/') && !link && !inBundle && !integrity
  const unverifiedPackages = packages
    .filter(lacksIntegrity)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)
  if (unverifiedPackages.length === 0) return
  throw new UserFacingError(
    `package-lock.json has no integrity for ${unverifiedPackages.join(', ')}, so nobody can check what is fetched: add what \`npm view NAME dist.integrity\` prints for each`,
  )
}

/**
 * Runs the npm that started this script, or else the npm on the PATH. On Windows, the npm on the
 * PATH is a `.cmd` file, which needs a shell.
 */
function runNpm(root, ...args) {
  const npmScript = process.env.npm_execpath
  const npmOptions = { cwd: root, what: `npm ${args[0]}` }
  if (npmScript?.endsWith('.js'))
    return runQuietly(process.execPath, [npmScript, ...args], npmOptions)
  return runQuietly('npm', args, { ...npmOptions, shell: process.platform === 'win32' })
}

/**
 * Installs the locked packages. Throws if a server runs from this folder: npm first removes all
 * packages, and the server may still have to load some.
 */
async function installPackages(root, printLine, count) {
  const [server] = listRunningServerPids(root)
  if (server)
    throw new UserFacingError(
      `the packages have changed and a server runs from this folder (process ${server}): stop it first, or use another folder`,
    )
  printLine(`installing ${count} packages…`)
  await runNpm(root, 'ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund')
}

/**
 * Runs the install scripts that `allowScripts` in package.json allows. Others must not run, because
 * they would have all rights of the user.
 */
async function runAllowedScripts(root) {
  const scriptPermissions = Object.entries(readJson(root, 'package.json').allowScripts ?? {})
  const isAllowedAndInstalled = ([name, isAllowed]) =>
    isAllowed && existsSync(join(root, 'node_modules', name))
  const scriptPackages = scriptPermissions.filter(isAllowedAndInstalled).map(([name]) => name)
  if (scriptPackages.length > 0)
    await runNpm(root, 'rebuild', '--ignore-scripts=false', ...scriptPackages)
}

export async function ensureDeps(root, printLine) {
  const { node } = process.versions
  if (node.localeCompare('20.19', 'en', { numeric: true }) < 0)
    throw new UserFacingError(`Node ${node} is too old: install Node 20.19 or newer`)
  const installedHashFile = join(root, 'node_modules/.ensure-lock')
  const depsHash = hashDeps(root)
  if (readText(installedHashFile) === depsHash) return

  const lockedPackages = readJson(root, 'package-lock.json').packages
  const neededPackages = Object.entries(lockedPackages).filter(
    ([path, entry]) => path && isForThisPlatform(entry),
  )
  checkIntegrity(neededPackages)
  const startedAt = Date.now()
  const needsInstall = !arePackagesInstalled(root, lockedPackages)
  if (needsInstall) await installPackages(root, printLine, neededPackages.length)
  await runAllowedScripts(root)
  writeFileSync(installedHashFile, depsHash)
  if (needsInstall) printLine(`installed in ${formatSecondsSince(startedAt)}`)
}
