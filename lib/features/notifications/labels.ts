import type { NotificationEvent } from '@/lib/operations/notifications'
import type { QueueKind } from '@/lib/pages'

/** `who`: the cases or people to which the event applies. */
export const eventLabels: Readonly<Record<NotificationEvent, { title: string; who: string }>> = {
  approval: { title: 'Your approval is needed', who: 'Requests that you can approve' },
  question: {
    title: 'An approver has a question',
    who: 'Questions about your requests that wait for your answer',
  },
  waits: { title: 'New work for your role', who: 'The first item in a queue that was empty' },
  unknown: {
    title: 'The outcome of an action is unknown',
    who: 'Actions that you sent, and actions of others whose outcome you can record',
  },
  key: {
    title: 'The API key is refused',
    who: 'The service rejects Paydesk’s API key. Sent to admins of the whole platform only.',
  },
  sync: {
    title: 'Reading from the service is paused',
    who: 'The service cannot be reached. Sent to admins of the whole platform only.',
  },
  webhooks: {
    title: 'Webhooks fail',
    who: 'Events of the service are refused or cannot be processed. Sent to admins of the whole platform only.',
  },
  people: {
    title: 'Roles were granted',
    who: 'A person received roles. Sent to admins of the whole platform only.',
  },
  digest: { title: 'Morning digest', who: 'At 7:00 in New York, on days with anything to do' },
}

type NotifiedQueue = Exclude<QueueKind, 'approvals_waiting' | 'outcomes_unknown'>

/** Queues that cause the event `waits`. Approvals and unknown outcomes have their own events. */
export const queueNouns: Readonly<
  Record<NotifiedQueue, { one: string; many: string; path: string }>
> = {
  payouts_held: { one: 'payout on hold', many: 'payouts on hold', path: '/payouts' },
  charges_held: { one: 'charge on hold', many: 'charges on hold', path: '/charges' },
  paykeys_review: { one: 'paykey in review', many: 'paykeys in review', path: '/paykeys' },
  customers_review: { one: 'customer in review', many: 'customers in review', path: '/customers' },
  deletions_requested: {
    one: 'request to delete a customer',
    many: 'requests to delete a customer',
    path: '/deletions',
  },
}

export const notifiedQueues = Object.keys(queueNouns) as NotifiedQueue[]
