import { defineDeskOperations, deskWrite } from '@/lib/operations/define'

/** What somebody wants to be told of, and where. */
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
