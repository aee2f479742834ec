import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ensureBrowser, findBrowser, isExecutableFile } from './browser.mjs'
import { ensurePrograms, hashBuildSources, hashProgramSources } from './build.mjs'
import { getProgramSources } from './bundle.mjs'
import { ensureDeps, hashDeps } from './deps.mjs'

let testFolder = ''

beforeEach(() => {
  testFolder = mkdtempSync(join(tmpdir(), 'ensure-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(testFolder, { recursive: true, force: true })
})

function writeFile(path: string, content: string | object = '') {
  const file = join(testFolder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

/** Creates a program that exits at once, as a browser does when it is started with `--version`. */
function writeProgram(path: string, code = 0) {
  const file = writeFile(path, `#!/bin/sh\nexit ${code}\n`)
  chmodSync(file, 0o755)
  return file
}

describe('the hash of the dependencies', () => {
  const manifest = { workspaces: ['part'], scripts: { test: 'a' }, dependencies: { next: '1.0.0' } }
  beforeEach(() => {
    writeFile('package.json', manifest)
    writeFile('part/package.json', { dependencies: { hono: '1.0.0' } })
    writeFile('package-lock.json', { packages: {} })
  })

  test.each<[string, () => void]>([
    [
      'a wanted package',
      () => writeFile('package.json', { ...manifest, dependencies: { next: '1.0.1' } }),
    ],
    [
      'a development package',
      () => writeFile('package.json', { ...manifest, devDependencies: { vitest: '1.0.0' } }),
    ],
    [
      'a package of a workspace',
      () => writeFile('part/package.json', { dependencies: { hono: '1.0.1' } }),
    ],
    ['the lock', () => writeFile('package-lock.json', { packages: { 'node_modules/x': {} } })],
  ])('changes with %s', (_what, change) => {
    const hashBefore = hashDeps(testFolder)
    change()
    expect(hashDeps(testFolder)).not.toBe(hashBefore)
  })

  test('does not change with the text of a script', () => {
    const depsHashBefore = hashDeps(testFolder)
    writeFile('package.json', { ...manifest, scripts: { test: 'b' } })
    expect(hashDeps(testFolder)).toBe(depsHashBefore)
  })

  test('changes with another Node version or platform', () => {
    expect(hashDeps(testFolder, 'v24 linux x64')).not.toBe(hashDeps(testFolder, 'v20 linux x64'))
  })

  test('accepts an installation made by hand from the same lock file', async () => {
    const packageEntry = { version: '1.0.0', integrity: 'sha512-a' }
    const lockedPackages = {
      'node_modules/a': packageEntry,
      'node_modules/far': { version: '1.0.0', optional: true, os: ['nowhere'] },
    }
    writeFile('package-lock.json', { packages: { '': {}, ...lockedPackages } })
    writeFile('node_modules/.package-lock.json', { packages: { 'node_modules/a': packageEntry } })
    const printedMessages: string[] = []
    await ensureDeps(testFolder, (line: string) => printedMessages.push(line))
    expect(printedMessages).toEqual([])
  })

  test('leads to one installation, and to another after the lock file changed', async () => {
    writeFile('a/package.json', { name: 'a', version: '1.0.0' })
    writeFile('package.json', { name: 'desk', version: '1.0.0', dependencies: { a: 'file:a' } })
    const makeLockFile = (name: string) => ({
      name,
      version: '1.0.0',
      lockfileVersion: 3,
      packages: {
        '': { name, version: '1.0.0', dependencies: { a: 'file:a' } },
        a: { version: '1.0.0' },
        'node_modules/a': { resolved: 'a', link: true },
      },
    })
    const ensureMessages: string[] = []
    const runEnsureDeps = () => ensureDeps(testFolder, (line: string) => ensureMessages.push(line))
    writeFile('package-lock.json', makeLockFile('desk'))
    await runEnsureDeps()
    await runEnsureDeps()
    expect(ensureMessages).toEqual([
      'installing 2 packages…',
      expect.stringMatching(/^installed in \d+ s$/),
    ])
    writeFile('package-lock.json', {
      ...makeLockFile('desk'),
      packages: { '': { name: 'desk', version: '1.0.0' } },
    })
    await expect(runEnsureDeps()).rejects.toThrow(/^npm ci ended with 1\n[\s\S]*Missing: a@/)
  }, 60_000)
})

describe('the hash of a build', () => {
  test.each([
    'app/page.tsx',
    'components/ui/button.tsx',
    'lib/money.ts',
    'sandbox/main.ts',
    'scripts/cli/audit-verify.ts',
    'scripts/start/pages.mjs',
    'drizzle/0000.sql',
    'proxy.ts',
    'next.config.mjs',
    'package-lock.json',
    'public/icon.svg',
  ])('depends on %s', (path) => {
    const hashWithoutFile = hashBuildSources(testFolder)
    writeFile(path, 'one')
    const hashWithOneFile = hashBuildSources(testFolder)
    writeFile(path, 'two')
    expect(new Set([hashWithoutFile, hashWithOneFile, hashBuildSources(testFolder)]).size).toBe(3)
  })

  test.each([
    'lib/money.test.ts',
    'sandbox/build/sandbox.mjs',
    'sandbox/node_modules/hono/index.js',
    'sandbox/data/sandbox/sandbox.db',
    '.env',
    '.env.local',
    'README.md',
    'e2e/release.spec.ts',
    'scripts/start.mjs',
  ])('does not depend on %s', (path) => {
    const buildHashBefore = hashBuildSources(testFolder)
    writeFile(path, 'x')
    expect(hashBuildSources(testFolder)).toBe(buildHashBefore)
  })

  test('changes with a renamed file', () => {
    writeFile('app/a.ts', 'x')
    const hashBeforeRename = hashBuildSources(testFolder)
    rmSync(join(testFolder, 'app/a.ts'))
    writeFile('app/b.ts', 'x')
    expect(hashBuildSources(testFolder)).not.toBe(hashBeforeRename)
  })

  test('needs no setting, because no setting is built in', () => {
    const sourcePaths = execFileSync(
      'git',
      ['ls-files', 'app', 'components', 'lib', '*.ts', '*.mjs'],
      {
        encoding: 'utf8',
      },
    )
      .split('\n')
      .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !path.startsWith('scripts/'))
    expect(sourcePaths.length).toBeGreaterThan(500)
    expect(
      sourcePaths.filter((path) => readFileSync(path, 'utf8').includes('NEXT_PUBLIC_')),
    ).toEqual([])
  })

  test('of the programs does not depend on pages, and programs are bundled without a build', async () => {
    writeFile('sandbox/main.ts')
    writeFile('scripts/cli/tool.ts', 'console.info("one")')
    writeFile('tsconfig.json', {})
    const programsHashBefore = hashProgramSources(testFolder)
    writeFile('app/page.tsx', 'one')
    expect(hashProgramSources(testFolder)).toBe(programsHashBefore)
    await ensurePrograms(testFolder)
    expect(readFileSync(join(testFolder, 'build/tool.mjs'), 'utf8')).toContain('one')
    expect(existsSync(join(testFolder, '.next'))).toBe(false)
    writeFile('scripts/cli/tool.ts', 'console.info("two")')
    await ensurePrograms(testFolder)
    expect(readFileSync(join(testFolder, 'build/tool.mjs'), 'utf8')).toContain('two')
  })

  test('covers the sandbox and each tool, without their tests', () => {
    for (const path of [
      'sandbox/main.ts',
      'scripts/cli/audit-verify.ts',
      'scripts/cli/audit-verify.test.ts',
    ])
      writeFile(path)
    expect(getProgramSources(testFolder)).toEqual({
      'sandbox/build/sandbox': 'sandbox/main.ts',
      'build/audit-verify': 'scripts/cli/audit-verify.ts',
    })
  })
})

describe('the selected browser', () => {
  beforeEach(() => vi.stubEnv('PATH', `${join(testFolder, 'one')}:${join(testFolder, 'two')}`))
  /** Finds only browsers in the test's folder, not those installed on this machine. */
  const findTestBrowser = () =>
    findBrowser(
      join(testFolder, 'own/chrome'),
      (path) => path.startsWith(testFolder) && isExecutableFile(path),
    )

  test('is Playwright’s own, then a headless shell, then Chromium, then Chrome, anywhere on the path', () => {
    expect(findTestBrowser()).toBeUndefined()
    const chrome = writeProgram('one/google-chrome')
    expect(findTestBrowser()).toBe(chrome)
    const chromium = writeProgram('two/chromium')
    expect(findTestBrowser()).toBe(chromium)
    const headlessShell = writeProgram('two/chromium-headless-shell')
    expect(findTestBrowser()).toBe(headlessShell)
    const playwrightBrowser = writeProgram('own/chrome')
    expect(findTestBrowser()).toBe(playwrightBrowser)
  })

  test('is never a file without execute permission', () => {
    writeFile('one/chromium', 'x')
    expect(findTestBrowser()).toBeUndefined()
  })

  test('is the configured one if there is one, and is stored', async () => {
    mkdirSync(join(testFolder, 'node_modules'))
    const configuredBrowser = writeProgram('mine/chrome')
    await ensureBrowser(testFolder, () => undefined, {
      PLAYWRIGHT_CHROMIUM_PATH: configuredBrowser,
    })
    const otherBrowser = writeProgram('two/chromium')
    expect(otherBrowser).not.toBe(configuredBrowser)
    expect(readFileSync(join(testFolder, 'node_modules/.ensure-browser'), 'utf8')).toBe(
      configuredBrowser,
    )
  })

  test('can be configured in .env', async () => {
    vi.stubEnv('PLAYWRIGHT_CHROMIUM_PATH', undefined)
    writeFile('.env', `PLAYWRIGHT_CHROMIUM_PATH=${join(testFolder, 'gone')}\n`)
    await expect(ensureBrowser(testFolder, () => undefined)).rejects.toThrow(
      /^PLAYWRIGHT_CHROMIUM_PATH names .*gone/,
    )
  })

  test('must exist if it is configured, and the error names the variable', async () => {
    const env = { PLAYWRIGHT_CHROMIUM_PATH: join(testFolder, 'gone') }
    await expect(ensureBrowser(testFolder, () => undefined, env)).rejects.toThrow(
      /^PLAYWRIGHT_CHROMIUM_PATH names .*gone, which is not a program/,
    )
  })
})
