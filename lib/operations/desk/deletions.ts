import {
  defineDeskOperations,
  deskReadDefaults,
  deskWriteDefaults,
  evidenceRoles,
} from '@/lib/operations/define'

export const deletions = defineDeskOperations({
  'deletions.list': { ...deskReadDefaults, path: '/deletions', verbPhrase: 'list deletions' },
  'deletions.request': {
    ...deskWriteDefaults,
    path: '/deletions',
    scope: 'object',
    allow: evidenceRoles,
    stepUp: true,
    events: ['applied'],
    status: 201,
    invalidates: ['deletions', 'queue_counts'],
    verbPhrase: 'ask for a deletion',
  },
  'deletions.withdraw': {
    ...deskWriteDefaults,
    path: '/deletions/:id/withdraw',
    scope: 'object',
    allow: evidenceRoles,
    events: ['applied'],
    invalidates: ['deletions', 'queue_counts'],
    verbPhrase: 'withdraw a request to delete a customer',
  },
  'deletions.certificate': {
    ...deskReadDefaults,
    path: '/deletions/:id/certificate',
    scope: 'object',
    answers: 'file',
    verbPhrase: 'download a certificate of deletion',
  },
})
