// Runs before node_modules exists, so static imports use only modules of Node itself.
import { fileURLToPath } from 'node:url'
import { ensureBrowser } from './start/browser.mjs'
import { ensureBuild, ensurePrograms } from './start/build.mjs'
import { ensureDeps } from './start/deps.mjs'
import { formatSecondsSince, UserFacingError } from './start/run-quietly.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const ensureFunctions = {
  deps: ensureDeps,
  programs: ensurePrograms,
  build: ensureBuild,
  browser: ensureBrowser,
}
let elapsedTimer

function stopElapsedTimer() {
  if (elapsedTimer) process.stdout.write('\n')
  clearInterval(elapsedTimer)
  elapsedTimer = undefined
}

/**
 * Prints a line. On a terminal, a line that ends in '…' shows the passed seconds until the next
 * line.
 */
function printLineWithElapsedTime(line) {
  stopElapsedTimer()
  if (!process.stdout.isTTY || !line.endsWith('…')) return console.info(`  ${line}`)
  const startedAt = Date.now()
  const printElapsed = () => process.stdout.write(`\r  ${line} ${formatSecondsSince(startedAt)}`)
  printElapsed()
  elapsedTimer = setInterval(printElapsed, 1000)
}

try {
  for (const name of process.argv.slice(2)) {
    if (!ensureFunctions[name])
      throw new UserFacingError(
        `unknown step ${name}: use ${Object.keys(ensureFunctions).join(', ')}`,
      )
    await ensureFunctions[name](root, printLineWithElapsedTime)
  }
  stopElapsedTimer()
} catch (error) {
  stopElapsedTimer()
  console.error(error instanceof UserFacingError ? error.message : error)
  process.exitCode = 1
}
