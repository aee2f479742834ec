import { defineDeskOperations, deskRead, deskWrite, reviewRoles } from '@/lib/operations/define'

/** The audit of actions and refusals. Only reviewers and admins read it. */
export const audit = defineDeskOperations({
  'audit.read': { ...deskRead, path: '/audit', allow: reviewRoles, verbPhrase: 'read the audit' },
  // A request verifies one part of the chain: all rows are too many for one request.
  'audit.verify': {
    ...deskWrite,
    effect: 'read',
    path: '/audit/verify',
    allow: reviewRoles,
    events: ['applied'],
    verbPhrase: 'verify the audit',
  },
  'audit.export': {
    ...deskRead,
    path: '/audit/export',
    allow: reviewRoles,
    events: ['start', 'applied'],
    ownPagesOnly: true,
    stepUp: 'recent',
    answers: 'file',
    verbPhrase: 'export the audit',
  },
})
