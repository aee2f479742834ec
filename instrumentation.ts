/** Runs once when the server starts, before it accepts requests. An error here is printed and stops the server. */
export async function register() {
  // Next sets this variable. It also compiles this file for the edge runtime, which cannot load the server's code.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    await import('@/lib/features/register')
    const { bootOrStop } = await import('@/lib/server/boot')
    await bootOrStop()
  }
}
