// Runs the drills of docs/operations.md, or only those named as arguments. Each drill starts its
// own programs and databases.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const drillSuffix = '.full.test.ts'
const drillNames = readdirSync(join(root, 'tests/drills'))
  .filter((name) => name.endsWith(drillSuffix))
  .map((name) => name.slice(0, -drillSuffix.length))

const requestedNames = process.argv.slice(2)
const unknownNames = requestedNames.filter((name) => !drillNames.includes(name))
if (unknownNames.length > 0) {
  console.error(`${unknownNames.join(', ')}: no such drill. There are ${drillNames.join(', ')}`)
  process.exit(1)
}

const drillFiles = (requestedNames.length > 0 ? requestedNames : drillNames).map(
  (name) => `tests/drills/${name}${drillSuffix}`,
)
const projectFlags = ['integration', 'integration-own-process'].map((name) => `--project=${name}`)
// The verbose reporter prints each step. Without console interception, the drill's own output is
// printed unchanged.
const outputFlags = ['--reporter=verbose', '--disableConsoleIntercept=true']
const vitestArgs = [
  join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  ...drillFiles,
  ...projectFlags,
  ...outputFlags,
]
const child = spawn(process.execPath, vitestArgs, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TEST_FULL: '1' },
})
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
