import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { ownRoot } from './servers.mjs'

/** The browser the tests use, as `npm test` found it. */
function browserPath() {
  const found = join(ownRoot, 'node_modules/.ensure-browser')
  return existsSync(found) ? readFileSync(found, 'utf8') : undefined
}

/** Starts it. */
export const startBrowser = () => chromium.launch({ executablePath: browserPath(), args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
