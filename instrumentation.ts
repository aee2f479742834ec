/**
 * Runs once when the server starts, before it accepts requests. An error here is printed and stops
 * the server.
 */
export async function register() {
  // Next sets `NEXT_RUNTIME`. Next also compiles this file for the edge runtime, which cannot load
  // the code of the server.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    await import('@/lib/features/register')
    const { bootOrExit: bootOrStop } = await import('@/lib/server/boot')
    await bootOrStop()
  }
}
