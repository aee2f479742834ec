import { canDecideReviews, defineDeskOperations, deskRead, deskWrite } from '@/lib/operations/define'

/** The record of what was done and refused. */
export const audit = defineDeskOperations({
  'audit.read': { ...deskRead, path: '/audit', allow: canDecideReviews, verbPhrase: 'read the audit' },
  // A part of the walk at a time: it reads every row there is.
  'audit.verify': {
    ...deskWrite,
    effect: 'read',
    path: '/audit/verify',
    allow: canDecideReviews,
    events: ['applied'],
    verbPhrase: 'verify the audit',
  },
  'audit.export': {
    ...deskRead,
    path: '/audit/export',
    allow: canDecideReviews,
    events: ['start', 'applied'],
    ownPagesOnly: true,
    stepUp: 'recent',
    answers: 'file',
    verbPhrase: 'export the audit',
  },
})
