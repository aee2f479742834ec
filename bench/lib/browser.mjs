import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { repositoryRoot } from './servers.mjs'

/**
 * Returns the path of the browser, which `node scripts/ensure.mjs browser` has written to a file.
 */
function findBrowserPath() {
  const browserPathFile = join(repositoryRoot, 'node_modules/.ensure-browser')
  if (!existsSync(browserPathFile))
    throw new Error('no browser was looked for: start the benchmark by `npm run bench`')
  return readFileSync(browserPathFile, 'utf8')
}

export const startBrowser = () =>
  chromium.launch({
    executablePath: findBrowserPath(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
