import { defineDeskOperations, deskWriteDefaults } from '@/lib/operations/define'

export const notifications = defineDeskOperations({
  'notifications.choose': {
    ...deskWriteDefaults,
    method: 'PUT',
    path: '/notifications/:event',
    events: ['applied'],
    invalidates: ['notifications', 'queue_counts'],
    verbPhrase: 'choose what to be notified of',
  },
})
