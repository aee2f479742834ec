// Runs before node_modules exists, so this file and its static imports use only modules of Node
// itself.
import { fileURLToPath } from 'node:url'
import { ensureBrowser } from './start/browser.mjs'
import { ensureBuild, ensurePrograms } from './start/build.mjs'
import { ensureDeps } from './start/deps.mjs'
import { formatSecondsSince, PlainError } from './start/run-quietly.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const steps = {
  deps: ensureDeps,
  programs: ensurePrograms,
  build: ensureBuild,
  browser: ensureBrowser,
}
let counterTimer

/** Stops the seconds counter and ends its line, if there is one. */
function stopCounter() {
  if (counterTimer) process.stdout.write('\n')
  clearInterval(counterTimer)
  counterTimer = undefined
}

/**
 * Prints a line. On a terminal, a line that ends in '…' shows the seconds that have passed, until
 * the next line.
 */
function printLineWithCounter(line) {
  stopCounter()
  if (!process.stdout.isTTY || !line.endsWith('…')) return console.info(`  ${line}`)
  const startedAt = Date.now()
  const printElapsed = () => process.stdout.write(`\r  ${line} ${formatSecondsSince(startedAt)}`)
  printElapsed()
  counterTimer = setInterval(printElapsed, 1000)
}

try {
  for (const name of process.argv.slice(2)) {
    if (!steps[name])
      throw new PlainError(`unknown step ${name}: use ${Object.keys(steps).join(', ')}`)
    await steps[name](root, printLineWithCounter)
  }
  stopCounter()
} catch (error) {
  stopCounter()
  console.error(error instanceof PlainError ? error.message : error)
  process.exitCode = 1
}
