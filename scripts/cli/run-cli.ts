import { readSettings } from '@/scripts/read-settings.mjs'

/** Runs a command on the settings the server has, prints a failure as its text alone, and ends with the command's exit code, or `failed`. */
export function runCli(main: () => Promise<number>, failed = 1): void {
  const run = async () => {
    Object.assign(process.env, readSettings(process.cwd(), { dev: process.env.NODE_ENV === 'development' }).variables)
    return main()
  }
  run().then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : 'failed'}\n`)
      process.exit(failed)
    },
  )
}
