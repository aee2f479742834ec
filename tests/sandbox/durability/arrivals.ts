import type { WebhookReceiver } from '@/tests/sandbox/webhook-receiver'

/** Ids of the events that arrived at a receiver, across all processes that sent to it. */
export class Arrivals {
  readonly ids = new Set<string>()
  /** Repeated messages: a process killed between sending a message and recording it sends it again. */
  twice = 0

  /** Takes the new messages out of the receiver, to limit its memory. Returns their faults. */
  take(receiver: WebhookReceiver): string[] {
    return receiver.received.splice(0).flatMap(({ event, verified }) => {
      if (this.ids.has(event.event_id)) this.twice += 1
      this.ids.add(event.event_id)
      return verified ? [] : [`${event.event_id} arrived with a bad signature`]
    })
  }
}
