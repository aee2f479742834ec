import { spawn } from 'node:child_process'

/** An error whose message is complete: the entry scripts print it without a stack. */
export class PlainError extends Error {}

export const secondsSince = (start) => `${Math.round((Date.now() - start) / 1000)} s`

/**
 * Runs a command and hides its output unless it fails. Returns the output. Throws a PlainError with the output on a non-zero exit code, a
 * missing program, or after `timeoutMs`.
 */
export function runQuietly(command, args, { cwd, env = process.env, timeoutMs, what = command, shell = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, shell, timeout: timeoutMs, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.on('error', (error) => reject(new PlainError(`${what} could not be started: ${error.message}`)))
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(output)
      const why = signal ? `was stopped by ${signal}` : `ended with ${code}`
      reject(new PlainError(`${what} ${why}\n${output.trimEnd()}`))
    })
  })
}
