import { defineDeskOperations, deskWrite } from '@/lib/operations/define'

/** The events and channels of a person's notifications. */
export const notifications = defineDeskOperations({
  'notifications.choose': {
    ...deskWrite,
    method: 'PUT',
    path: '/notifications/:event',
    events: ['applied'],
    invalidates: ['notifications', 'queue_counts'],
    verbPhrase: 'choose what to be notified of',
  },
})
