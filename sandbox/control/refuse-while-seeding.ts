import { HTTPException } from 'hono/http-exception'
import type { Sandbox } from '@/sandbox/sandbox'

/** Throws a 409 while a seeding runs. Call it after reading the body, since a seeding may have begun in between. */
export function refuseWhileSeeding(sandbox: Sandbox): void {
  if (!sandbox.ready) throw new HTTPException(409, { message: 'a seeding is running; wait until it has ended' })
}
