import type { WebhookReceiver } from '@/tests/sandbox/webhook-receiver'

/** Ids of the events that arrived at a receiver from all processes of a run. */
export class Arrivals {
  readonly ids = new Set<string>()
  /** Number of messages that arrived again. A process killed after sending a message and before recording it sends it again. */
  twice = 0

  /** Removes new messages from the receiver, to limit its memory, and records their ids. Returns an error text for each wrong signature. */
  take(receiver: WebhookReceiver): string[] {
    return receiver.received.splice(0).flatMap(({ event, verified }) => {
      if (this.ids.has(event.event_id)) this.twice += 1
      this.ids.add(event.event_id)
      return verified ? [] : [`${event.event_id} arrived with a bad signature`]
    })
  }
}
