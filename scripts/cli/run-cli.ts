import { readSettings } from '@/scripts/start/read-settings.mjs'

/** Exits with the code that `main` returns. If it throws, prints only the error's message. */
export function runCli(main: () => Promise<number>, failureExitCode = 1): void {
  const runMain = async () => {
    Object.assign(
      process.env,
      readSettings(process.cwd(), { dev: process.env.NODE_ENV === 'development' }).variables,
    )
    return main()
  }
  runMain().then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : 'failed'}\n`)
      process.exit(failureExitCode)
    },
  )
}
