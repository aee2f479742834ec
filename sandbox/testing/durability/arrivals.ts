import type { WebhookReceiver } from '@/sandbox/testing/webhook-receiver'

/** Which events arrived at a receiver, over all processes that sent to it. */
export class Arrivals {
  readonly ids = new Set<string>()
  /** Messages that came again: a process that was killed between sending one and writing that down sends it once more. */
  twice = 0

  /** Takes what has arrived since, so that a long run does not keep it all; gives what is wrong with it. */
  take(receiver: WebhookReceiver): string[] {
    return receiver.received.splice(0).flatMap(({ event, verified }) => {
      if (this.ids.has(event.event_id)) this.twice += 1
      this.ids.add(event.event_id)
      return verified ? [] : [`${event.event_id} arrived with a bad signature`]
    })
  }
}
