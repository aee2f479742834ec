import { spawn } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Flags for processes that live for some seconds. The embedded store is run as it was compiled first: to compile it better takes two seconds of a
 * processor. Room for all objects of a start saves a tenth of its time.
 */
export const quickStart = ['--liftoff-only', '--min-semi-space-size=16']

/** Flags for servers: they end when the process of the test that started them is gone, which was killed and could not stop them. */
export const endWithParent = ['--import', pathToFileURL(path.resolve('scripts/end-with-parent.mjs')).href]

/** The times that every server of the tests has at a tenth. */
export const shortTimes = 'pauses,hashes'

const cheapHashes = { TEST_TIMES: shortTimes, APP_ORIGIN: 'http://127.0.0.1' }

/** Runs one of the built commands with these variables and nothing else of ours; gives its exit code and everything it wrote. */
export const runCommand = (name: string, args: readonly string[], env: Record<string, string>, input = '') =>
  runNode(
    [...quickStart, `build/${name}.mjs`, ...args],
    { DATABASE_URL: '', ...(name === 'admin-create' ? cheapHashes : {}), ...env },
    input,
  )

/** The same with any script. */
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
