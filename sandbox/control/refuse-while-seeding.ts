import { HTTPException } from 'hono/http-exception'
import type { Sandbox } from '@/sandbox/sandbox'

/** Throws 409 while a seeding runs: ask after the body was read, since a seeding may have begun while it came in. */
export function refuseWhileSeeding(sandbox: Sandbox): void {
  if (!sandbox.ready) throw new HTTPException(409, { message: 'a seeding is running; wait until it has ended' })
}
