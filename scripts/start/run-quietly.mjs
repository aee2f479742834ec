import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** An error for the user, who needs no stack trace: the scripts print only its message. */
export class UserFacingError extends Error {}

export const formatSecondsSince = (start) => `${Math.round((Date.now() - start) / 1000)} s`

/**
 * Throws a UserFacingError with the output if the exit code is not zero, the program is missing, or
 * `timeout` milliseconds have passed. The error names the command as `what`.
 */
export async function runQuietly(command, args, { what = command, ...options }) {
  const runPromise = promisify(execFile)(command, args, {
    maxBuffer: Number.POSITIVE_INFINITY,
    ...options,
  })
  runPromise.child.stdin.end()
  await runPromise.catch(({ code, signal, message, stdout, stderr }) => {
    const exitDescription = signal ? `was stopped by ${signal}` : `ended with ${code}`
    const isStarted = signal || typeof code === 'number'
    throw new UserFacingError(
      `${what} ${isStarted ? exitDescription : `could not be started: ${message}`}\n${stdout}${stderr}`.trimEnd(),
    )
  })
}
