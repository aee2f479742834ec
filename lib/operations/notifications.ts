export const notificationEvents = ['approval', 'waits', 'unknown', 'key', 'sync', 'webhooks', 'people', 'digest'] as const

export type NotificationEvent = (typeof notificationEvents)[number]

/** The channels of a notification. The digest exists as an email only. */
export type NotificationChoice = { app: boolean; mail: boolean }

export type NotificationChoices = Readonly<Record<NotificationEvent, NotificationChoice>>

/** The default choices: every event in Paydesk, urgent events by email, and waiting work in an email each morning. */
export const defaultChoices: NotificationChoices = {
  approval: { app: true, mail: true },
  waits: { app: true, mail: false },
  unknown: { app: true, mail: true },
  key: { app: true, mail: true },
  sync: { app: true, mail: true },
  webhooks: { app: true, mail: true },
  people: { app: true, mail: true },
  digest: { app: false, mail: true },
}

/**
 * A notification. It is shown as long as its cause lasts. `since` is an ISO timestamp, null if unknown. `path` is the path of the page to
 * open, without the environment.
 */
export type Notification = { key: string; event: NotificationEvent; title: string; line: string; since: string | null; path: string }
