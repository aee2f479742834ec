import { canUploadEvidence, defineDeskOperations, deskRead, deskWrite } from '@/lib/operations/define'

/** Who works on a record of a queue. Pages ask and renew while they are open; nothing is decided by it, so nothing goes on record. */
export const claims = defineDeskOperations({
  'claims.read': { ...deskRead, path: '/claims/:resource', unattended: true, verbPhrase: 'read who works on what' },
  'claims.take': {
    ...deskWrite,
    method: 'PUT',
    path: '/claims/:resource/:id',
    scope: 'object',
    allow: canUploadEvidence,
    unattended: true,
    invalidates: ['claims'],
    verbPhrase: 'claim a record',
  },
  'claims.give_back': {
    ...deskWrite,
    method: 'DELETE',
    path: '/claims/:resource/:id',
    scope: 'object',
    unattended: true,
    invalidates: ['claims'],
    verbPhrase: 'give a record back',
  },
})
