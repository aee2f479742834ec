import { defineDeskOperations, deskWriteDefaults } from '@/lib/operations/define'

/**
 * Chooses, for one event, the channels of the person's own notifications: in Paydesk, by email, or
 * both.
 */
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
