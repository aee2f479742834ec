import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { ownRoot } from './servers.mjs'

/** Returns the path of the tests' browser, from the file that `node scripts/ensure.mjs browser` writes. */
function findBrowserPath() {
  const foundPathFile = join(ownRoot, 'node_modules/.ensure-browser')
  if (!existsSync(foundPathFile)) throw new Error('no browser was looked for: start the benchmark by `npm run bench`')
  return readFileSync(foundPathFile, 'utf8')
}

export const startBrowser = () =>
  chromium.launch({ executablePath: findBrowserPath(), args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
