import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { ownRoot } from './servers.mjs'

/** `node scripts/ensure.mjs browser` writes the path to this file. */
function findBrowserPath() {
  const browserPathFile = join(ownRoot, 'node_modules/.ensure-browser')
  if (!existsSync(browserPathFile))
    throw new Error('no browser was looked for: start the benchmark by `npm run bench`')
  return readFileSync(browserPathFile, 'utf8')
}

export const startBrowser = () =>
  chromium.launch({
    executablePath: findBrowserPath(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
