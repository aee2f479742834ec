import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ensureBrowser, findBrowser, isRunnable } from './browser.mjs'
import { ensurePrograms, hashBuild, hashPrograms } from './build.mjs'
import { listPrograms } from './bundle.mjs'
import { ensureDeps, hashDeps } from './deps.mjs'

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ensure-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

function writeFile(path: string, content: string | object = '') {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

/** Creates a program that exits immediately, as a browser does for --version. */
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
    ['a wanted package', () => writeFile('package.json', { ...manifest, dependencies: { next: '1.0.1' } })],
    ['a development package', () => writeFile('package.json', { ...manifest, devDependencies: { vitest: '1.0.0' } })],
    ['a package of a workspace', () => writeFile('part/package.json', { dependencies: { hono: '1.0.1' } })],
    ['the lock', () => writeFile('package-lock.json', { packages: { 'node_modules/x': {} } })],
  ])('changes with %s', (_what, change) => {
    const hashBefore = hashDeps(root)
    change()
    expect(hashDeps(root)).not.toBe(hashBefore)
  })

  test('does not change with the text of a script', () => {
    const before = hashDeps(root)
    writeFile('package.json', { ...manifest, scripts: { test: 'b' } })
    expect(hashDeps(root)).toBe(before)
  })

  test('changes with another Node version or platform', () => {
    expect(hashDeps(root, 'v24 linux x64')).not.toBe(hashDeps(root, 'v20 linux x64'))
  })

  test('accepts an installation made by hand from the same lock file', async () => {
    const a = { version: '1.0.0', integrity: 'sha512-a' }
    const packages = { 'node_modules/a': a, 'node_modules/far': { version: '1.0.0', optional: true, os: ['nowhere'] } }
    writeFile('package-lock.json', { packages: { '': {}, ...packages } })
    writeFile('node_modules/.package-lock.json', { packages: { 'node_modules/a': a } })
    const messages: string[] = []
    await ensureDeps(root, (line: string) => messages.push(line))
    expect(messages).toEqual([])
  })

  test('leads to one installation, and to another after the lock file changed', async () => {
    writeFile('a/package.json', { name: 'a', version: '1.0.0' })
    writeFile('package.json', { name: 'desk', version: '1.0.0', dependencies: { a: 'file:a' } })
    const writeLock = (name: string) => ({
      name,
      version: '1.0.0',
      lockfileVersion: 3,
      packages: {
        '': { name, version: '1.0.0', dependencies: { a: 'file:a' } },
        a: { version: '1.0.0' },
        'node_modules/a': { resolved: 'a', link: true },
      },
    })
    const messages: string[] = []
    const runEnsure = () => ensureDeps(root, (line: string) => messages.push(line))
    writeFile('package-lock.json', writeLock('desk'))
    await runEnsure()
    await runEnsure()
    expect(messages).toEqual(['installing 2 packages…', expect.stringMatching(/^installed in \d+ s$/)])
    writeFile('package-lock.json', { ...writeLock('desk'), packages: { '': { name: 'desk', version: '1.0.0' } } })
    await expect(runEnsure()).rejects.toThrow(/^npm ci ended with 1\n[\s\S]*Missing: a@/)
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
    const hashWithoutFile = hashBuild(root)
    writeFile(path, 'one')
    const hashWithOneFile = hashBuild(root)
    writeFile(path, 'two')
    expect(new Set([hashWithoutFile, hashWithOneFile, hashBuild(root)]).size).toBe(3)
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
    const before = hashBuild(root)
    writeFile(path, 'x')
    expect(hashBuild(root)).toBe(before)
  })

  test('changes with a renamed file', () => {
    writeFile('app/a.ts', 'x')
    const before = hashBuild(root)
    rmSync(join(root, 'app/a.ts'))
    writeFile('app/b.ts', 'x')
    expect(hashBuild(root)).not.toBe(before)
  })

  test('needs no setting, because no setting is built in', () => {
    const sources = execFileSync('git', ['ls-files', 'app', 'components', 'lib', '*.ts', '*.mjs'], { encoding: 'utf8' })
      .split('\n')
      .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !path.startsWith('scripts/'))
    expect(sources.length).toBeGreaterThan(500)
    expect(sources.filter((path) => readFileSync(path, 'utf8').includes('NEXT_PUBLIC_'))).toEqual([])
  })

  test('of the programs does not depend on pages, and programs are bundled without a build', async () => {
    writeFile('sandbox/main.ts')
    writeFile('scripts/cli/tool.ts', 'console.info("one")')
    writeFile('tsconfig.json', {})
    const before = hashPrograms(root)
    writeFile('app/page.tsx', 'one')
    expect(hashPrograms(root)).toBe(before)
    await ensurePrograms(root)
    expect(readFileSync(join(root, 'build/tool.mjs'), 'utf8')).toContain('one')
    expect(existsSync(join(root, '.next'))).toBe(false)
    writeFile('scripts/cli/tool.ts', 'console.info("two")')
    await ensurePrograms(root)
    expect(readFileSync(join(root, 'build/tool.mjs'), 'utf8')).toContain('two')
  })

  test('covers the sandbox and each tool, without their tests', () => {
    for (const path of ['sandbox/main.ts', 'scripts/cli/audit-verify.ts', 'scripts/cli/audit-verify.test.ts']) writeFile(path)
    expect(listPrograms(root)).toEqual({ 'sandbox/build/sandbox': 'sandbox/main.ts', 'build/audit-verify': 'scripts/cli/audit-verify.ts' })
  })
})

describe('the selected browser', () => {
  beforeEach(() => vi.stubEnv('PATH', `${join(root, 'one')}:${join(root, 'two')}`))
  /** Finds only browsers in the test's folder, none of this machine. */
  const findTestBrowser = () => findBrowser(join(root, 'own/chrome'), (path) => path.startsWith(root) && isRunnable(path))

  test('is Playwright’s own, then a headless shell, then Chromium, then Chrome, anywhere on the path', () => {
    expect(findTestBrowser()).toBeUndefined()
    const chrome = writeProgram('one/google-chrome')
    expect(findTestBrowser()).toBe(chrome)
    const chromium = writeProgram('two/chromium')
    expect(findTestBrowser()).toBe(chromium)
    const shell = writeProgram('two/chromium-headless-shell')
    expect(findTestBrowser()).toBe(shell)
    const playwrightBrowser = writeProgram('own/chrome')
    expect(findTestBrowser()).toBe(playwrightBrowser)
  })

  test('is never a file without execute permission', () => {
    writeFile('one/chromium', 'x')
    expect(findTestBrowser()).toBeUndefined()
  })

  test('is the configured one if there is one, and is stored', async () => {
    mkdirSync(join(root, 'node_modules'))
    const namedBrowser = writeProgram('mine/chrome')
    await ensureBrowser(root, () => undefined, { PLAYWRIGHT_CHROMIUM_PATH: namedBrowser })
    const otherBrowser = writeProgram('two/chromium')
    expect(otherBrowser).not.toBe(namedBrowser)
    expect(readFileSync(join(root, 'node_modules/.ensure-browser'), 'utf8')).toBe(namedBrowser)
  })

  test('can be configured in .env', async () => {
    vi.stubEnv('PLAYWRIGHT_CHROMIUM_PATH', undefined)
    writeFile('.env', `PLAYWRIGHT_CHROMIUM_PATH=${join(root, 'gone')}\n`)
    await expect(ensureBrowser(root, () => undefined)).rejects.toThrow(/^PLAYWRIGHT_CHROMIUM_PATH names .*gone/)
  })

  test('must exist if it is configured, and the error names the variable', async () => {
    const env = { PLAYWRIGHT_CHROMIUM_PATH: join(root, 'gone') }
    await expect(ensureBrowser(root, () => undefined, env)).rejects.toThrow(
      /^PLAYWRIGHT_CHROMIUM_PATH names .*gone, which is not a program/,
    )
  })
})
