import { defineDeskOperations, deskRead, deskWrite, evidenceRoles } from '@/lib/operations/define'

export const deletions = defineDeskOperations({
  'deletions.list': { ...deskRead, path: '/deletions', verbPhrase: 'list deletions' },
  'deletions.request': {
    ...deskWrite,
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
    ...deskWrite,
    path: '/deletions/:id/withdraw',
    scope: 'object',
    allow: evidenceRoles,
    events: ['applied'],
    invalidates: ['deletions', 'queue_counts'],
    verbPhrase: 'withdraw a request to delete a customer',
  },
  'deletions.certificate': {
    ...deskRead,
    path: '/deletions/:id/certificate',
    scope: 'object',
    answers: 'file',
    verbPhrase: 'download a certificate of deletion',
  },
})
