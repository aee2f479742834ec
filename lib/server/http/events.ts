import 'server-only'
import { requireActor } from '@/lib/server/auth/session'
import { eventStream } from '@/lib/server/live/event-stream'
import type { Runs } from './desk-call'

/** Tells open pages what changed. */
export const eventRuns: Runs<'events.read'> = {
  'events.read': async ({ request, requestId, actor, environment }) => {
    const again = () => requireActor(request, { active: false })
    return new Response(eventStream({ environment, actor, again, signal: request.signal }), {
      headers: {
        'content-type': 'text/event-stream',
        // Whoever compresses or buffers on the way would keep what is told until there is more of it.
        'cache-control': 'private, no-store, no-transform',
        'x-accel-buffering': 'no',
        'request-id': requestId,
      },
    })
  },
}
