import {
  defineDeskOperations,
  deskReadDefaults,
  deskWriteDefaults,
  reviewRoles,
} from '@/lib/operations/define'

export const audit = defineDeskOperations({
  'audit.read': {
    ...deskReadDefaults,
    path: '/audit',
    allow: reviewRoles,
    verbPhrase: 'read the audit',
  },
  // One request verifies only a part of the chain, because the whole can have too many rows.
  'audit.verify': {
    ...deskWriteDefaults,
    effect: 'read',
    path: '/audit/verify',
    allow: reviewRoles,
    events: ['applied'],
    verbPhrase: 'verify the audit',
  },
  'audit.export': {
    ...deskReadDefaults,
    path: '/audit/export',
    allow: reviewRoles,
    events: ['start', 'applied'],
    ownPagesOnly: true,
    stepUp: 'recent',
    answers: 'file',
    verbPhrase: 'export the audit',
  },
})
