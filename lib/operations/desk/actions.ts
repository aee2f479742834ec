import { defineDeskOperations, deskRead, deskWrite, reviewRoles } from '@/lib/operations/define'

/** Operations on the action log. A check, a decision and a settlement are audited under the operation of the action. */
export const actions = defineDeskOperations({
  'actions.list': { ...deskRead, path: '/actions', unattended: true, verbPhrase: 'list actions' },
  'actions.read': { ...deskRead, path: '/actions/:id', scope: 'object', unattended: true, verbPhrase: 'read an action' },
  'actions.check': {
    ...deskWrite,
    path: '/actions/:id',
    scope: 'object',
    invalidates: ['actions', 'queue_counts'],
    verbPhrase: 'check an action again',
  },
  'actions.decide': {
    ...deskWrite,
    path: '/actions/:id/decision',
    scope: 'object',
    allow: reviewRoles,
    stepUp: true,
    invalidates: ['actions', 'queue_counts'],
    verbPhrase: 'decide what became of an action',
  },
})
