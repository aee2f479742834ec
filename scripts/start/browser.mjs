import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser, runnable } from './find-browser.mjs'
import { PlainError, runQuietly, secondsSince } from './run-quietly.mjs'

const browserHint = 'set PLAYWRIGHT_CHROMIUM_PATH to a Chromium or Chrome, or install one, and run this again'

/**
 * True if the browser starts: a complete download may lack system libraries. Not run on Windows, where Chrome opens a window for --version.
 */
function starts(path) {
  if (!runnable(path)) return false
  if (process.platform === 'win32') return true
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 })
    return true
  } catch {
    return false
  }
}

async function downloadByPlaywright(root, say) {
  say('no browser here: downloading Chromium…')
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  await runQuietly(process.execPath, [cli, 'install', 'chromium', '--no-shell'], {
    cwd: root,
    timeoutMs: 180_000,
    what: 'playwright install',
  })
}

async function installByApt(_root, say) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new PlainError('apt-get needs root on Debian or Ubuntu')
  say("installing Debian's chromium…")
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = (name) => runQuietly('apt-get', ['install', '-y', '--no-install-recommends', name, 'fonts-liberation'], { env })
  await runQuietly('apt-get', ['update'], { env })
  // Some distributions have no package of the headless shell.
  await install('chromium-headless-shell').catch(() => install('chromium'))
}

/** Returns the user's settings. They are only read here and passed to no child process: an install must not see the secrets in them. */
async function settings(root) {
  // Imported late: the reader's package is installed only now.
  const { readSettings } = await import('./read-settings.mjs')
  return readSettings(root).variables
}

/** Returns the configured path of a browser. Throws if it is wrong: a silent fallback would test another browser. */
function named(env) {
  const path = env.PLAYWRIGHT_CHROMIUM_PATH
  if (path && !runnable(path)) throw new PlainError(`PLAYWRIGHT_CHROMIUM_PATH names ${path}, which is not a program: correct or unset it`)
  return path
}

async function obtain(root, say) {
  const { chromium } = await import('@playwright/test')
  const look = () => findBrowser({ playwright: chromium.executablePath(), works: starts })
  const reasons = []
  for (const attempt of [undefined, downloadByPlaywright, installByApt]) {
    try {
      await attempt?.(root, say)
    } catch (error) {
      reasons.push(error.message.split('\n')[0])
    }
    const found = look()
    if (found) return found
  }
  throw new PlainError(`no browser for the tests (${reasons.join('; ')}): ${browserHint}`)
}

/**
 * Finds or downloads a Chromium and writes its path to node_modules/.ensure-browser, which playwright.config.ts reads.
 * @param {Record<string, string | undefined>} [env]
 */
export async function ensureBrowser(root, say, env) {
  const marker = join(root, 'node_modules/.ensure-browser')
  const configuredPath = named(env ?? (await settings(root)))
  if (configuredPath) return writeFileSync(marker, configuredPath)
  if (existsSync(marker) && runnable(readFileSync(marker, 'utf8'))) return
  const start = Date.now()
  const path = await obtain(root, say)
  writeFileSync(marker, path)
  say(`browser: ${path} (${secondsSince(start)})`)
}
