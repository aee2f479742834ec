import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser, runnable } from './find-browser.mjs'
import { PlainError, runQuietly, secondsSince } from './run-quietly.mjs'

const wanted = 'set PLAYWRIGHT_CHROMIUM_PATH to a Chromium or Chrome, or install one, and run this again'

/** A download may lie there whole and still lack system libraries. Windows' Chrome opens a window when asked its version. */
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
  // Not every distribution has the shell installed.
  await install('chromium-headless-shell').catch(() => install('chromium'))
}

/** What a person has set. It is read from alone and passed on to nobody: an install has no business with the secrets in it. */
async function settings(root) {
  // By now the reader is installed.
  const { readSettings } = await import('./read-settings.mjs')
  return readSettings(root).variables
}

/** The path a person named, which must be right: falling back silently would test another browser than asked for. */
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
  throw new PlainError(`no browser for the tests (${reasons.join('; ')}): ${wanted}`)
}

/**
 * Finds or fetches a Chromium and notes its path in node_modules/.ensure-browser, where playwright.config.ts reads it.
 * @param {Record<string, string | undefined>} [env]
 */
export async function ensureBrowser(root, say, env) {
  const marker = join(root, 'node_modules/.ensure-browser')
  const asked = named(env ?? (await settings(root)))
  if (asked) return writeFileSync(marker, asked)
  if (existsSync(marker) && runnable(readFileSync(marker, 'utf8'))) return
  const start = Date.now()
  const path = await obtain(root, say)
  writeFileSync(marker, path)
  say(`browser: ${path} (${secondsSince(start)})`)
}
