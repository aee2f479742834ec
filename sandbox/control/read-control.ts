import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { Sandbox } from '@/sandbox/sandbox'

/**
 * A web page cannot send `application/json` to another origin without a preflight, so no page in a
 * developer's browser can reset the sandbox. Throws a 400 or a ZodError.
 */
export async function readControlBody<T>(
  context: Context,
  schema: { parse: (input: unknown) => T },
): Promise<T> {
  if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) {
    throw new HTTPException(400, { message: 'the Content-Type must be application/json' })
  }
  const text = await context.req.text()
  try {
    return schema.parse(text.trim() === '' ? {} : JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new HTTPException(400, { message: 'the body is not valid JSON' })
    throw error
  }
}

/** Throws a 409. Call it after reading the body: seeding may begin while the body arrives. */
export function refuseWhileSeeding(sandbox: Sandbox): void {
  if (!sandbox.ready)
    throw new HTTPException(409, { message: 'a seeding is running; wait until it has ended' })
}
