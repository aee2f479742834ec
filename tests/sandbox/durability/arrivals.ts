import type { WebhookReceiver } from '@/tests/sandbox/webhook-receiver'

/**
 * Records which events arrived at the webhook receiver during a run. Several sandbox processes, one
 * after another, send them.
 */
export class EventArrivals {
  readonly ids = new Set<string>()
  /**
   * Number of messages that arrived more than once. If a process is killed after it sends a
   * message, but before it records that, the next process sends the message again.
   */
  twice = 0

  /**
   * Records the ids of new messages. Removes these messages from the receiver, to limit its memory.
   * Returns an error text for each wrong signature.
   */
  take(receiver: WebhookReceiver): string[] {
    return receiver.received.splice(0).flatMap(({ event, verified }) => {
      if (this.ids.has(event.event_id)) this.twice += 1
      this.ids.add(event.event_id)
      return verified ? [] : [`${event.event_id} arrived with a bad signature`]
    })
  }
}
