import 'server-only'
import { requireActor } from '@/lib/server/auth/session'
import { createEventStream } from '@/lib/server/live/event-stream'
import type { DeskOperationHandlers } from './desk-call'

export const eventStreamHandlers: DeskOperationHandlers<'events.read'> = {
  'events.read': async ({ request, requestId, actor, environment }) => {
    const recheckSession = () => requireActor(request, { active: false })
    return new Response(
      createEventStream({ environment, actor, again: recheckSession, signal: request.signal }),
      {
        headers: {
          'content-type': 'text/event-stream',
          // A proxy that compresses or buffers the stream would delay events.
          'cache-control': 'private, no-store, no-transform',
          'x-accel-buffering': 'no',
          'request-id': requestId,
        },
      },
    )
  },
}
