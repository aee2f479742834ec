/** What a person can be told of. */
export const notificationEvents = ['approval', 'waits', 'unknown', 'key', 'sync', 'webhooks', 'people', 'digest'] as const

/** One of these. */
export type NotificationEvent = (typeof notificationEvents)[number]

/** Where a person wants to be told of something. A digest is a mail and nothing else. */
export type NotificationChoice = { app: boolean; mail: boolean }

export type NotificationChoices = Readonly<Record<NotificationEvent, NotificationChoice>>

/** What holds for who chose nothing: everything is told in Paydesk; a mail comes for what is urgent, and each morning for what waits. */
export const shippedChoices: NotificationChoices = {
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
 * Something a person is told of, for as long as it is so. `since` is an ISO timestamp, null where nobody knows; `path` follows the environment in the URL of
 * the page where it is dealt with.
 */
export type Notification = { key: string; event: NotificationEvent; title: string; line: string; since: string | null; path: string }
