/** Runs once when the server starts, before any request; a failure here ends the start with its text. */
export async function register() {
  const { boot } = await import('@/lib/server/boot')
  try {
    await boot()
  } catch (error) {
    process.stderr.write(`Paydesk cannot start: ${error instanceof Error ? error.message : 'unknown reason'}\n`)
    process.exit(1)
  }
}
