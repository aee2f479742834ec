/** What is known of the events that the payments service delivered in the last 30 days. */
export type WebhookSummary = {
  /** What shows that an event is genuine; `none`: all are refused. */
  signing: 'secret' | 'unsigned' | 'none'
  /** When an event was taken in last, in ISO; null where none was. */
  last_received_at: string | null
  /** Events by what became of them. */
  events: Readonly<Record<'received' | 'matched' | 'ignored' | 'failed', number>>
  /** How many of them nobody signed. */
  unverified: number
  /** Deliveries that were refused, the most frequent cause first. */
  refusals: readonly { cause: string; count: number; last_at: string }[]
}
