export const notificationEvents = [
  'approval',
  'question',
  'waits',
  'unknown',
  'key',
  'sync',
  'webhooks',
  'people',
  'digest',
] as const

export type NotificationEvent = (typeof notificationEvents)[number]

/** In Paydesk (`app`), by email (`mail`), or both. The digest exists only as an email. */
export type NotificationChoice = { app: boolean; mail: boolean }

export type NotificationChoices = Readonly<Record<NotificationEvent, NotificationChoice>>

/** The digest is an email each morning about waiting work. Urgent events are also sent by email. */
export const defaultNotificationChoices: NotificationChoices = {
  approval: { app: true, mail: true },
  question: { app: true, mail: true },
  waits: { app: true, mail: false },
  unknown: { app: true, mail: true },
  key: { app: true, mail: true },
  sync: { app: true, mail: true },
  webhooks: { app: true, mail: true },
  people: { app: true, mail: true },
  digest: { app: false, mail: true },
}

/**
 * Shown as long as its cause lasts. `line`: the text under the title. `since`: when the cause began
 * (ISO), null if unknown. `path`: the page to open, without the environment.
 */
export type Notification = {
  key: string
  event: NotificationEvent
  title: string
  line: string
  since: string | null
  path: string
}
