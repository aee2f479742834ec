import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashFiles, readText } from './files.mjs'
import { listRunningServers } from './pages.mjs'
import { PlainError, runQuietly, secondsSince } from './run-quietly.mjs'

const readJson = (root, path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/**
 * Returns a hash that changes if an install would change: the package files, the lock file, Node, the platform. Package scripts are
 * excluded.
 */
export function hashDeps(root, runtime = `${process.version} ${process.platform} ${process.arch}`) {
  const { workspaces = [] } = readJson(root, 'package.json')
  const paths = ['package.json', ...workspaces.map((folder) => `${folder}/package.json`)]
  const manifests = paths.map((path) => ({ ...readJson(root, path), scripts: undefined }))
  return hashFiles(root, ['package-lock.json'], [manifests, runtime])
}

const matchesList = (list, value) => !list || list.includes(value)

/** Returns the C library of this Linux, for which native packages are built. Reads Node's report, without a network lookup. */
function detectCLibrary() {
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
}

/** True if a package of the lock file is for this platform. */
const isForThisPlatform = ({ os, cpu, libc }) =>
  matchesList(os, process.platform) && matchesList(cpu, process.arch) && (!libc || matchesList(libc, detectCLibrary()))

/** True if npm's record of the installed packages matches the lock file and this platform, as it does after a manual `npm ci`. */
function isInstalled(root, locked) {
  const record = 'node_modules/.package-lock.json'
  if (!existsSync(join(root, record))) return false
  const installed = readJson(root, record).packages
  const isComplete = Object.entries(locked).every(([path, { optional }]) => !path || optional || installed[path])
  const isLocked = (path, { version, integrity }) => locked[path]?.version === version && locked[path].integrity === integrity
  return isComplete && Object.entries(installed).every(([path, entry]) => isLocked(path, entry) && isForThisPlatform(entry))
}

/** Throws if a locked package has no integrity hash, because its content would not be verified. Links and bundled packages need no hash. */
function checkIntegrity(packages) {
  const lacksIntegrity = ([path, { link, inBundle, integrity }]) => path.includes('node_modules/') && !link && !inBundle && !integrity
  const names = packages.filter(lacksIntegrity).map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)
  if (names.length === 0) return
  throw new PlainError(
    `package-lock.json has no integrity for ${names.join(', ')}, so nobody can check what is fetched: add what \`npm view NAME dist.integrity\` prints for each`,
  )
}

/** Runs the npm that started this script, else the one on the path. On Windows that is a `.cmd`, which needs a shell. */
function runNpm(root, ...args) {
  const npmScript = process.env.npm_execpath
  const options = { cwd: root, what: `npm ${args[0]}` }
  if (npmScript?.endsWith('.js')) return runQuietly(process.execPath, [npmScript, ...args], options)
  return runQuietly('npm', args, { ...options, shell: process.platform === 'win32' })
}

/**
 * Installs the locked packages. Throws if a server runs from this folder: npm first removes all packages, and a server loads some of them
 * only later.
 */
async function installPackages(root, say, count) {
  const [server] = listRunningServers(root)
  if (server)
    throw new PlainError(
      `the packages have changed and a server runs from this folder (process ${server}): stop it first, or use another folder`,
    )
  say(`installing ${count} packages…`)
  await runNpm(root, 'ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund')
}

/** Runs the install scripts that package.json allows. No other script may run, because it would have the user's rights. */
async function runAllowedScripts(root) {
  const allowedScripts = Object.entries(readJson(root, 'package.json').allowScripts ?? {})
  const isInstalledHere = ([name, isAllowed]) => isAllowed && existsSync(join(root, 'node_modules', name))
  const names = allowedScripts.filter(isInstalledHere).map(([name]) => name)
  if (names.length > 0) await runNpm(root, 'rebuild', '--ignore-scripts=false', ...names)
}

/** Installs the locked packages, unless the last install had the same lock file, Node version and platform. */
export async function ensureDeps(root, say) {
  const { node } = process.versions
  if (node.localeCompare('20.19', 'en', { numeric: true }) < 0) throw new PlainError(`Node ${node} is too old: install Node 20.19 or newer`)
  const marker = join(root, 'node_modules/.ensure-lock')
  const hash = hashDeps(root)
  if (readText(marker) === hash) return

  const lockedPackages = readJson(root, 'package-lock.json').packages
  const neededPackages = Object.entries(lockedPackages).filter(([path, entry]) => path && isForThisPlatform(entry))
  checkIntegrity(neededPackages)
  const startedAt = Date.now()
  const needsInstall = !isInstalled(root, lockedPackages)
  if (needsInstall) await installPackages(root, say, neededPackages.length)
  await runAllowedScripts(root)
  writeFileSync(marker, hash)
  if (needsInstall) say(`installed in ${secondsSince(startedAt)}`)
}
