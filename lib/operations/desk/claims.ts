import {
  defineDeskOperations,
  deskReadDefaults,
  deskWriteDefaults,
  evidenceRoles,
} from '@/lib/operations/define'

/** Open pages send claims by themselves. A claim decides nothing, so it is not audited. */
export const claims = defineDeskOperations({
  'claims.read': {
    ...deskReadDefaults,
    path: '/claims/:resource',
    unattended: true,
    verbPhrase: 'read who works on what',
  },
  'claims.take': {
    ...deskWriteDefaults,
    method: 'PUT',
    path: '/claims/:resource/:id',
    scope: 'object',
    allow: evidenceRoles,
    unattended: true,
    invalidates: ['claims'],
    verbPhrase: 'claim a record',
  },
  'claims.give_back': {
    ...deskWriteDefaults,
    method: 'DELETE',
    path: '/claims/:resource/:id',
    scope: 'object',
    unattended: true,
    invalidates: ['claims'],
    verbPhrase: 'release a claim',
  },
})
