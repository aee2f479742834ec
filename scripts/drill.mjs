// Runs the drills of docs/operations.md, or only the named ones. Each drill starts its own programs and databases.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const ending = '.full.test.ts'
const drills = readdirSync(join(root, 'tests/drills'))
  .filter((name) => name.endsWith(ending))
  .map((name) => name.slice(0, -ending.length))

const names = process.argv.slice(2)
const unknown = names.filter((name) => !drills.includes(name))
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: no such drill. There are ${drills.join(', ')}`)
  process.exit(1)
}

const files = (names.length > 0 ? names : drills).map((name) => `tests/drills/${name}${ending}`)
const projects = ['integration', 'integration-own-process'].map((name) => `--project=${name}`)
// The verbose reporter prints each step. Without interception, a drill's own output is printed unchanged.
const output = ['--reporter=verbose', '--disableConsoleIntercept=true']
const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files, ...projects, ...output]
const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, TEST_FULL: '1' } })
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
