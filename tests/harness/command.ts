import { spawn } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Flags for processes that run only for seconds. `--liftoff-only` compiles the embedded store without optimization, which saves two seconds
 * of processor time. `--min-semi-space-size` reserves memory for all objects of a start, which makes the start 10 % faster.
 */
export const quickStartFlags = ['--liftoff-only', '--min-semi-space-size=16']

/** Flags for servers: they stop when the test process that started them has ended, even if it was killed. */
export const endWithParentFlags = ['--import', pathToFileURL(path.resolve('scripts/end-with-parent.mjs')).href]

/** The groups of times that all servers of the tests shorten, as a value of `TEST_TIMES`. */
export const shortTimes = 'pauses,hashes'

const cheapHashes = { TEST_TIMES: shortTimes, APP_ORIGIN: 'http://127.0.0.1' }

/** Runs a built command with only these environment variables. Returns its exit code and its output. */
export const runCommand = (name: string, args: readonly string[], env: Record<string, string>, input = '') =>
  runNode(
    [...quickStartFlags, `build/${name}.mjs`, ...args],
    { DATABASE_URL: '', ...(name === 'admin-create' ? cheapHashes : {}), ...env },
    input,
  )

/** Runs Node with these arguments and only these environment variables. Returns its exit code and its output. */
export function runNode(args: readonly string[], env: Record<string, string> = {}, input = '') {
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env } })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      text += part.toString()
    })
  }
  child.stdin.end(input)
  return new Promise<{ code: number | null; text: string }>((resolve) => child.once('close', (code) => resolve({ code, text })))
}
