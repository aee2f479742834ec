import { defineDeskOperations, deskReadDefaults } from '@/lib/operations/define'

/** Authorization proofs that were uploaded through Paydesk. Each view of one is audited. */
export const documents = defineDeskOperations({
  'documents.list': {
    ...deskReadDefaults,
    path: '/documents/:resource/:record',
    scope: 'object',
    unattended: true,
    verbPhrase: 'list the documents of a payment',
  },
  'documents.read': {
    ...deskReadDefaults,
    path: '/documents/:id',
    scope: 'object',
    events: ['applied'],
    ownPagesOnly: true,
    answers: 'file',
    verbPhrase: 'open a document',
  },
})
