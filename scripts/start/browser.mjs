import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { readText } from './files.mjs'
import { formatSecondsSince, runQuietly, UserFacingError } from './run-quietly.mjs'

// The headless shell is first, because it runs the same pages in a third less time.
const browserNames = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

const macBrowserPaths = ['Google Chrome', 'Chromium'].flatMap((app) =>
  ['/', homedir()].map((folder) => join(folder, `Applications/${app}.app/Contents/MacOS/${app}`)),
)

export function isExecutableFile(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * Returns true if the browser starts. An existing file is not enough, because a complete download
 * may still lack system libraries. On Windows only the file is checked, because Chrome opens a
 * window for `--version`.
 */
function canStartBrowser(path) {
  if (!isExecutableFile(path)) return false
  if (process.platform === 'win32') return true
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 })
    return true
  } catch {
    return false
  }
}

const listWindowsBrowserPaths = () =>
  ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
    .flatMap((name) => process.env[name] ?? [])
    .map((folder) => join(folder, 'Google/Chrome/Application/chrome.exe'))

/** Prefers Playwright's own download to a Chromium or Chrome of the system. */
export function findBrowser(playwrightPath, canStart = canStartBrowser) {
  const pathFolders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const browserPathCandidates = browserNames.flatMap((name) =>
    pathFolders.map((folder) => join(folder, name)),
  )
  return [
    playwrightPath,
    ...browserPathCandidates,
    ...macBrowserPaths,
    ...listWindowsBrowserPaths(),
  ].find(canStart)
}

async function downloadByPlaywright(root, printLine) {
  printLine('no browser here: downloading Chromium…')
  const playwrightCli = join(root, 'node_modules/@playwright/test/cli.js')
  const installOptions = { cwd: root, timeout: 180_000, what: 'playwright install' }
  await runQuietly(
    process.execPath,
    [playwrightCli, 'install', 'chromium', '--no-shell'],
    installOptions,
  )
}

async function installByApt(_root, printLine) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new UserFacingError('apt-get needs root on Debian or Ubuntu')
  printLine("installing Debian's chromium…")
  const runAptGet = (...args) =>
    runQuietly('apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  const installPackage = (name) =>
    runAptGet('install', '-y', '--no-install-recommends', name, 'fonts-liberation')
  await runAptGet('update')
  // Some distributions have no package of the headless shell.
  await installPackage('chromium-headless-shell').catch(() => installPackage('chromium'))
}

async function findOrInstallBrowser(root, printLine) {
  const { chromium } = await import('@playwright/test')
  const failureReasons = []
  for (const attempt of [undefined, downloadByPlaywright, installByApt]) {
    await attempt?.(root, printLine).catch(({ message }) =>
      failureReasons.push(message.split('\n')[0]),
    )
    const path = findBrowser(chromium.executablePath())
    if (path) return path
  }
  const browserHint =
    'set PLAYWRIGHT_CHROMIUM_PATH to a Chromium or Chrome, or install one, and run this again'
  throw new UserFacingError(
    `no browser for the tests (${failureReasons.join('; ')}): ${browserHint}`,
  )
}

/**
 * Writes the path to node_modules/.ensure-browser, which playwright.config.ts reads. Throws if
 * PLAYWRIGHT_CHROMIUM_PATH names no program: the tests must not run in another browser.
 */
export async function ensureBrowser(root, printLine, env) {
  // Import it here and not at the top, because it needs a package that an earlier step of this run
  // installs. The settings contain secrets, so they are not passed to the installing programs.
  const { readSettings } = await import('./read-settings.mjs')
  const browserPathFile = join(root, 'node_modules/.ensure-browser')
  const { PLAYWRIGHT_CHROMIUM_PATH: configured } = env ?? readSettings(root).variables
  if (configured && !isExecutableFile(configured))
    throw new UserFacingError(
      `PLAYWRIGHT_CHROMIUM_PATH names ${configured}, which is not a program: correct or unset it`,
    )
  if (configured) return writeFileSync(browserPathFile, configured)
  if (isExecutableFile(readText(browserPathFile))) return
  const startedAt = Date.now()
  const path = await findOrInstallBrowser(root, printLine)
  writeFileSync(browserPathFile, path)
  printLine(`browser: ${path} (${formatSecondsSince(startedAt)})`)
}
