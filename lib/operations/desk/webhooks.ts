import { defineDeskOperations, deskReadDefaults, deskWriteDefaults } from '@/lib/operations/define'

export const webhooks = defineDeskOperations({
  'webhooks.list': {
    ...deskReadDefaults,
    path: '/webhooks',
    scope: 'platform',
    allow: ['admin'],
    verbPhrase: 'list webhooks',
  },
  'webhooks.read': {
    ...deskReadDefaults,
    path: '/webhooks/:id',
    scope: 'platform',
    allow: ['admin'],
    unattended: true,
    verbPhrase: 'read a webhook',
  },
  'webhooks.process': {
    ...deskWriteDefaults,
    path: '/webhooks/:id/process',
    scope: 'platform',
    allow: ['admin'],
    events: ['applied'],
    invalidates: ['webhooks'],
    verbPhrase: 'process a webhook again',
  },
})
