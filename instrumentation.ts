/** Runs once when the server starts, before any request. An error here stops the start and is printed. */
export async function register() {
  // Next sets this variable. It also compiles this file for a second runtime, which cannot load the server's code.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    await import('@/lib/features/register')
    const { bootOrStop } = await import('@/lib/server/boot')
    await bootOrStop()
  }
}
