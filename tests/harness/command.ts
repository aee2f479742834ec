import { spawn } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Node flags for processes that run for only a few seconds. `--liftoff-only` compiles the
 * WebAssembly of the embedded store without optimization, which saves two seconds of processor
 * time. `--min-semi-space-size` reserves enough memory for the objects of a start, which makes the
 * start 10 % faster.
 */
export const quickStartFlags = ['--liftoff-only', '--min-semi-space-size=16']

/**
 * Node flags for servers. With them, a server stops when the test process that started it has
 * ended, even if that was killed.
 */
export const endWithParentFlags = [
  '--import',
  pathToFileURL(path.resolve('scripts/end-with-parent.mjs')).href,
]

/**
 * Value of the setting `TEST_TIMES` for all servers of the tests. It shortens pauses and makes
 * password hashes cheap.
 */
export const shortenedTimeGroups = 'pauses,hashes'

const shortenedTimesEnv = { TEST_TIMES: shortenedTimeGroups, APP_ORIGIN: 'http://127.0.0.1' }

/**
 * Runs the command `build/NAME.mjs` with only these environment variables. Returns its exit code
 * and its output.
 */
export const runCommand = (
  name: string,
  args: readonly string[],
  env: Record<string, string>,
  input = '',
) =>
  runNode(
    [...quickStartFlags, `build/${name}.mjs`, ...args],
    { DATABASE_URL: '', ...(name === 'admin-create' ? shortenedTimesEnv : {}), ...env },
    input,
  )

/**
 * Runs Node with these arguments and only these environment variables. Returns its exit code and
 * its output.
 */
export function runNode(args: readonly string[], env: Record<string, string> = {}, input = '') {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
  })
  let outputText = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      outputText += part.toString()
    })
  }
  child.stdin.end(input)
  return new Promise<{ code: number | null; text: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, text: outputText })),
  )
}
