import fs from 'node:fs'

/** Runs a command: reads `.env` where there is one, prints a failure as its text alone, and ends with the command's exit code. */
export function runCli(main: () => Promise<number>): void {
  if (fs.existsSync('.env')) process.loadEnvFile('.env')
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : 'failed'}\n`)
      process.exit(1)
    },
  )
}
