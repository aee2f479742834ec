import {
  defineDeskOperations,
  deskReadDefaults,
  deskWriteDefaults,
  reviewRoles,
} from '@/lib/operations/define'

/** Outcomes are audited under the operation of the action, such as `payouts.release`. */
export const actions = defineDeskOperations({
  'actions.list': {
    ...deskReadDefaults,
    path: '/actions',
    unattended: true,
    verbPhrase: 'list actions',
  },
  'actions.read': {
    ...deskReadDefaults,
    path: '/actions/:id',
    scope: 'object',
    unattended: true,
    verbPhrase: 'read an action',
  },
  'actions.check': {
    ...deskWriteDefaults,
    path: '/actions/:id',
    scope: 'object',
    invalidates: ['actions', 'queue_counts'],
    verbPhrase: 'check an action again',
  },
  'actions.decide': {
    ...deskWriteDefaults,
    path: '/actions/:id/decision',
    scope: 'object',
    allow: reviewRoles,
    stepUp: true,
    invalidates: ['actions', 'queue_counts'],
    verbPhrase: 'decide what became of an action',
  },
})
