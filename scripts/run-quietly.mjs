import { spawn } from 'node:child_process'

/** An error whose text is all a person needs: the entry scripts print it as it is, without a stack. */
export class PlainError extends Error {}

/** Whole seconds since `start`, for progress lines. */
export const secondsSince = (start) => `${Math.round((Date.now() - start) / 1000)} s`

/**
 * Runs a command and keeps its output to itself unless it fails. Gives the output; throws a PlainError that holds it on a
 * non-zero exit, a missing program or after `timeoutMs`.
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
