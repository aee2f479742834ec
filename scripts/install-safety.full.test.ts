import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureDeps } from './start/deps.mjs'

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>
  allowScripts: Record<string, boolean>
}
type LockEntry = { hasInstallScript?: true; integrity?: string; link?: true; inBundle?: true }
const lockEntries = Object.entries(
  (JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockEntry> })
    .packages,
)
const toPackageName = (path: string) => path.split('node_modules/').at(-1) ?? ''

let testFolder = ''
beforeEach(() => {
  testFolder = mkdtempSync(join(tmpdir(), 'scripts-'))
})
afterEach(() => rmSync(testFolder, { recursive: true, force: true }))

const runNpm = (cwd: string, ...args: string[]) => execFileSync('npm', args, { cwd, stdio: 'pipe' })
const listExecutedScripts = () =>
  ['wanted', 'stranger'].filter((name) => existsSync(join(testFolder, `${name}-ran`)))

/**
 * Packs a package as a registry would serve it. Its install script creates a file named
 * `<name>-ran`.
 */
function packPackage(targetFolder: string, name: string) {
  const sourceFolder = join(targetFolder, 'sources', name)
  mkdirSync(sourceFolder, { recursive: true })
  const postinstall = `node -e "require('fs').writeFileSync(process.env.INIT_CWD + '/${name}-ran', '')"`
  writeFileSync(
    join(sourceFolder, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', scripts: { postinstall } }),
  )
  runNpm(sourceFolder, 'pack', '--ignore-scripts', '--pack-destination', targetFolder)
}

describe('install scripts', () => {
  /**
   * A project that depends on two packages with install scripts and allows the script of only one.
   */
  const projectFolder = mkdtempSync(join(tmpdir(), 'scripts-project-'))
  beforeAll(() => {
    for (const name of ['wanted', 'stranger']) packPackage(projectFolder, name)
    const dependencies = { wanted: 'file:wanted-1.0.0.tgz', stranger: 'file:stranger-1.0.0.tgz' }
    const allowScripts = { wanted: true, stranger: false, elsewhere: true }
    writeFileSync(
      join(projectFolder, 'package.json'),
      JSON.stringify({ name: 'desk', version: '1.0.0', dependencies, allowScripts }),
    )
    runNpm(projectFolder, 'install', '--package-lock-only', '--ignore-scripts')
  })
  beforeEach(() => cpSync(projectFolder, testFolder, { recursive: true }))
  afterAll(() => rmSync(projectFolder, { recursive: true, force: true }))

  test('of packages run only if package.json allows them', async () => {
    const testManifest = JSON.parse(readFileSync(join(testFolder, 'package.json'), 'utf8'))
    writeFileSync(
      join(testFolder, 'package.json'),
      JSON.stringify({ ...testManifest, allowScripts: { wanted: true } }),
    )
    await ensureDeps(testFolder, () => undefined)
    expect(listExecutedScripts()).toEqual(['wanted'])
  })

  test('do not run with a plain npm ci, and the allowed ones run afterwards', async () => {
    copyFileSync('.npmrc', join(testFolder, '.npmrc'))
    runNpm(testFolder, 'ci')
    expect(existsSync(join(testFolder, 'node_modules/wanted'))).toBe(true)
    expect(listExecutedScripts()).toEqual([])
    const printedMessages: string[] = []
    await ensureDeps(testFolder, (line: string) => printedMessages.push(line))
    expect([printedMessages, listExecutedScripts()]).toEqual([[], ['wanted']])
  })

  test('are each allowed or denied by name', () => {
    const packagesWithInstallScript = lockEntries
      .filter(([, entry]) => entry.hasInstallScript)
      .map(([path]) => toPackageName(path))
    expect([...new Set(packagesWithInstallScript)].sort()).toEqual(
      Object.keys(manifest.allowScripts).sort(),
    )
  })
})

test('no script of ours is a pre or post script, which npm skips together with install scripts', () => {
  const scriptNames = Object.keys(manifest.scripts)
  expect(scriptNames.filter((name) => /^(pre|post)/.test(name))).toEqual([])
})

describe('the lock file', () => {
  test('contains the integrity of every fetched package on every platform', () => {
    const entriesWithoutHash = lockEntries.filter(
      ([path, entry]) =>
        path.includes('node_modules/') && !entry.integrity && !entry.link && !entry.inBundle,
    )
    expect(entriesWithoutHash.map(([path]) => path)).toEqual([])
  })

  test.each([
    [
      'a package without one stops an install before anything is fetched',
      {},
      /^package-lock\.json has no integrity for stranger@1\.0\.0/,
    ],
    ['unless it is of another platform', { optional: true, os: ['nowhere'] }, null],
  ])('%s', async (_name, more, refusal) => {
    const strangerEntry = { version: '1.0.0', ...more }
    writeFileSync(
      join(testFolder, 'package.json'),
      JSON.stringify({ name: 'desk', version: '1.0.0' }),
    )
    writeFileSync(
      join(testFolder, 'package-lock.json'),
      JSON.stringify({ packages: { '': {}, 'node_modules/stranger': strangerEntry } }),
    )
    mkdirSync(join(testFolder, 'node_modules'))
    writeFileSync(
      join(testFolder, 'node_modules/.package-lock.json'),
      JSON.stringify({ packages: {} }),
    )
    const installPromise = ensureDeps(testFolder, () => undefined)
    if (refusal) await expect(installPromise).rejects.toThrow(refusal)
    else await expect(installPromise).resolves.toBeUndefined()
  })
})
