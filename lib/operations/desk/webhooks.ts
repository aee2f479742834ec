import { defineDeskOperations, deskRead, deskWrite } from '@/lib/operations/define'

/** Webhooks that the payments service delivered to the platform, for all accounts. */
export const webhooks = defineDeskOperations({
  'webhooks.list': { ...deskRead, path: '/webhooks', scope: 'platform', allow: ['admin'], verbPhrase: 'list webhooks' },
  'webhooks.read': {
    ...deskRead,
    path: '/webhooks/:id',
    scope: 'platform',
    allow: ['admin'],
    unattended: true,
    verbPhrase: 'read a webhook',
  },
  'webhooks.process': {
    ...deskWrite,
    path: '/webhooks/:id/process',
    scope: 'platform',
    allow: ['admin'],
    events: ['applied'],
    invalidates: ['webhooks'],
    verbPhrase: 'process a webhook again',
  },
})
