import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { readText } from './files.mjs'
import { PlainError, runQuietly, secondsSince } from './run-quietly.mjs'

// The headless shell is first: it has no window, and runs the same pages in a third less time.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const macPaths = ['Google Chrome', 'Chromium'].flatMap((app) =>
  ['/', homedir()].map((folder) => join(folder, `Applications/${app}.app/Contents/MacOS/${app}`)),
)

export function isRunnable(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * True if the browser starts. A complete download may still lack system libraries. On Windows only the file is checked, because Chrome
 * opens a window for --version.
 */
function canStart(path) {
  if (!isRunnable(path)) return false
  if (process.platform === 'win32') return true
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 })
    return true
  } catch {
    return false
  }
}

const listWindowsPaths = () =>
  ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
    .flatMap((name) => process.env[name] ?? [])
    .map((folder) => join(folder, 'Google/Chrome/Application/chrome.exe'))

/**
 * Returns the path of the first browser that works: Playwright's own download, then a Chromium or Chrome of the system. Undefined if there
 * is none.
 */
export function findBrowser(playwright, works = canStart) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const pathCandidates = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [playwright, ...pathCandidates, ...macPaths, ...listWindowsPaths()].find(works)
}

async function downloadByPlaywright(root, say) {
  say('no browser here: downloading Chromium…')
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  const options = { cwd: root, timeout: 180_000, what: 'playwright install' }
  await runQuietly(process.execPath, [cli, 'install', 'chromium', '--no-shell'], options)
}

async function installByApt(_root, say) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new PlainError('apt-get needs root on Debian or Ubuntu')
  say("installing Debian's chromium…")
  const aptGet = (...args) => runQuietly('apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  const install = (name) => aptGet('install', '-y', '--no-install-recommends', name, 'fonts-liberation')
  await aptGet('update')
  // Some distributions have no package of the headless shell.
  await install('chromium-headless-shell').catch(() => install('chromium'))
}

async function obtainBrowser(root, say) {
  const { chromium } = await import('@playwright/test')
  const reasons = []
  for (const attempt of [undefined, downloadByPlaywright, installByApt]) {
    await attempt?.(root, say).catch(({ message }) => reasons.push(message.split('\n')[0]))
    const path = findBrowser(chromium.executablePath())
    if (path) return path
  }
  const browserHint = 'set PLAYWRIGHT_CHROMIUM_PATH to a Chromium or Chrome, or install one, and run this again'
  throw new PlainError(`no browser for the tests (${reasons.join('; ')}): ${browserHint}`)
}

/**
 * Finds or downloads a Chromium and writes its path to node_modules/.ensure-browser, which playwright.config.ts reads. Throws if
 * PLAYWRIGHT_CHROMIUM_PATH is wrong, because the tests must not run in another browser than the configured one.
 */
export async function ensureBrowser(root, say, env) {
  // Dynamic import, because an earlier step of this run installs the package. No child process gets the settings: an install must not see
  // their secrets.
  const { readSettings } = await import('./read-settings.mjs')
  const marker = join(root, 'node_modules/.ensure-browser')
  const { PLAYWRIGHT_CHROMIUM_PATH: configured } = env ?? readSettings(root).variables
  if (configured && !isRunnable(configured))
    throw new PlainError(`PLAYWRIGHT_CHROMIUM_PATH names ${configured}, which is not a program: correct or unset it`)
  if (configured) return writeFileSync(marker, configured)
  if (isRunnable(readText(marker))) return
  const startedAt = Date.now()
  const path = await obtainBrowser(root, say)
  writeFileSync(marker, path)
  say(`browser: ${path} (${secondsSince(startedAt)})`)
}
