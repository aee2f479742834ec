import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runningServers } from './pages.mjs'
import { PlainError, runQuietly, secondsSince } from './run-quietly.mjs'

const hashedFields = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides', 'allowScripts', 'engines']

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** Changes when an install would change: the packages, the lock file, Node, the platform. The text of a package script does not count. */
export function depsHash(root, runtime = `${process.version} ${process.platform} ${process.arch}`) {
  const rootManifest = readJson(join(root, 'package.json'))
  const manifests = [rootManifest, ...(rootManifest.workspaces ?? []).map((folder) => readJson(join(root, folder, 'package.json')))]
  const manifestJson = JSON.stringify(manifests.map((manifest) => hashedFields.map((part) => manifest[part] ?? null)))
  return createHash('sha256')
    .update(manifestJson)
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(runtime)
    .digest('hex')
}

const allows = (list, value) => !list || list.includes(value)

/** The C library that Linux packages are built for, read from Node's report without a network lookup. */
function libc() {
  if (process.platform !== 'linux') return undefined
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
}

const belongsHere = (entry) =>
  allows(entry.os, process.platform) && allows(entry.cpu, process.arch) && (!entry.libc || allows(entry.libc, libc()))

/** True if npm's record of the installed packages matches the lock file and this platform, as after a manual `npm ci`. */
function isInstalled(root) {
  const note = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(note)) return false
  const installed = readJson(note).packages
  const locked = readJson(join(root, 'package-lock.json')).packages
  const complete = Object.entries(locked).every(([path, entry]) => !path || entry.optional || installed[path])
  const isLocked = ([path, { version, integrity }]) => locked[path]?.version === version && locked[path].integrity === integrity
  return complete && Object.entries(installed).every((entry) => isLocked(entry) && belongsHere(entry[1]))
}

function countPackages(root) {
  const locked = Object.entries(readJson(join(root, 'package-lock.json')).packages)
  return locked.filter(([path, entry]) => path && belongsHere(entry)).length
}

/** Throws for a locked package without an integrity hash: its content would not be verified. Links and bundled packages have no hash. */
function checkIntegrity(root) {
  const locked = Object.entries(readJson(join(root, 'package-lock.json')).packages)
  const isFetched = ([path, entry]) => path.includes('node_modules/') && !entry.link && !entry.inBundle
  const unproved = locked.filter((each) => isFetched(each) && belongsHere(each[1]) && !each[1].integrity)
  if (unproved.length === 0) return
  const names = unproved.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)
  throw new PlainError(
    `package-lock.json has no integrity for ${names.join(', ')}, so nobody can check what is fetched: add what \`npm view NAME dist.integrity\` prints for each`,
  )
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    throw new PlainError(`Node ${process.versions.node} is too old: install Node 20.19 or newer`)
}

/**
 * Returns the installed packages whose install scripts package.json allows. Any other script would run unnoticed with the user's rights.
 */
function allowedScripts(root) {
  const allowed = Object.entries(readJson(join(root, 'package.json')).allowScripts ?? {})
  return allowed.filter(([name, yes]) => yes && existsSync(join(root, 'node_modules', name))).map(([name]) => name)
}

function runNpm(root, args) {
  // npm sets npm_execpath for its scripts. Otherwise use the shell's npm (a .cmd on Windows).
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  const shell = npm.length === 1 && process.platform === 'win32'
  return runQuietly(npm[0], [...npm.slice(1), ...args], { cwd: root, what: `npm ${args[0]}`, shell })
}

/** Throws if a server runs: npm removes all packages before it installs them, and a running server loads some of them later. */
function checkUnused(root) {
  const [server] = runningServers(root)
  if (!server) return
  throw new PlainError(
    `the packages have changed and a server runs from this folder (process ${server}): stop it first, or use another folder`,
  )
}

/**
 * Installs the locked packages, unless the last install had the same lock file, Node and platform. Runs only the install scripts that
 * package.json allows, whatever npm would do with the others.
 */
export async function ensureDeps(root, say) {
  checkNode()
  const marker = join(root, 'node_modules/.ensure-lock')
  const hash = depsHash(root)
  if (existsSync(marker) && readFileSync(marker, 'utf8') === hash) return

  checkIntegrity(root)
  const start = Date.now()
  const install = !isInstalled(root)
  if (install) {
    checkUnused(root)
    say(`installing ${countPackages(root)} packages…`)
    await runNpm(root, ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund'])
  }
  const names = allowedScripts(root)
  if (names.length > 0) await runNpm(root, ['rebuild', '--ignore-scripts=false', ...names])
  writeFileSync(marker, hash)
  if (install) say(`installed in ${secondsSince(start)}`)
}
