import { defineDeskOperations, deskRead, deskWrite, evidenceRoles } from '@/lib/operations/define'

/** Claims on records of a queue. Open pages request and renew them. A claim decides nothing, so it is not audited. */
export const claims = defineDeskOperations({
  'claims.read': { ...deskRead, path: '/claims/:resource', unattended: true, verbPhrase: 'read who works on what' },
  'claims.take': {
    ...deskWrite,
    method: 'PUT',
    path: '/claims/:resource/:id',
    scope: 'object',
    allow: evidenceRoles,
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
    verbPhrase: 'release a claim',
  },
})
