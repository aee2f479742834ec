/** Runs once when the server starts, before any request; a failure here ends the start with its text. */
export async function register() {
  // Next sets this word and compiles this file for a second runtime too, where the server's code has no place.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    await import('@/lib/features/register')
    const { bootOrStop } = await import('@/lib/server/boot')
    await bootOrStop()
  }
}
