// Runs before node_modules exists, so it and what it imports use Node alone.
import { fileURLToPath } from 'node:url'
import { ensureBrowser } from './ensure-browser.mjs'
import { ensureBuild } from './ensure-build.mjs'
import { ensureDeps } from './ensure-deps.mjs'
import { PlainError } from './run-quietly.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const steps = { deps: ensureDeps, build: ensureBuild, browser: ensureBrowser }
const say = (line) => console.info(`  ${line}`)

async function ensure(names) {
  for (const name of names) {
    const step = steps[name]
    if (!step) throw new PlainError(`unknown step ${name}: use ${Object.keys(steps).join(', ')}`)
    await step(root, say)
  }
}

try {
  await ensure(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof PlainError ? error.message : error)
  process.exitCode = 1
}
