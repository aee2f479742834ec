import { defineDeskOperations, deskReadDefaults, deskWriteDefaults } from '@/lib/operations/define'

const adminWriteDefaults = {
  scope: 'platform',
  allow: ['admin'],
  events: ['applied'],
  stepUp: true,
  invalidates: ['people'],
} as const

/** A person is the same in every environment; each grant is for one environment. */
export const people = defineDeskOperations({
  'people.list': {
    ...deskReadDefaults,
    path: '/people',
    scope: 'platform',
    allow: ['admin'],
    verbPhrase: 'list people',
  },
  'people.access_review': {
    ...deskReadDefaults,
    path: '/people/access-review',
    scope: 'platform',
    allow: ['admin'],
    events: ['applied'],
    ownPagesOnly: true,
    stepUp: true,
    answers: 'file',
    verbPhrase: 'export the access review',
  },
  'people.invite': {
    ...deskWriteDefaults,
    ...adminWriteDefaults,
    path: '/people',
    status: 201,
    verbPhrase: 'invite a person',
  },
  'people.confirm_grant': {
    ...deskWriteDefaults,
    ...adminWriteDefaults,
    path: '/people/:id/grant-requests/:request/confirm',
    verbPhrase: 'confirm a role that another admin granted',
  },
  'people.reject_grant': {
    ...deskWriteDefaults,
    ...adminWriteDefaults,
    path: '/people/:id/grant-requests/:request/reject',
    verbPhrase: 'reject or withdraw a role that waits for another admin',
  },
  'people.link': {
    ...deskWriteDefaults,
    ...adminWriteDefaults,
    path: '/people/:id/link',
    verbPhrase: 'make another invitation link',
  },
  'people.grant': {
    ...deskWriteDefaults,
    ...adminWriteDefaults,
    events: ['applied', 'asked'],
    path: '/people/:id/grants',
    verbPhrase: 'grant a role',
  },
  'people.take_grant': {
    ...deskWriteDefaults,
    ...adminWriteDefaults,
    method: 'DELETE',
    path: '/people/:id/grants/:grant',
    verbPhrase: 'remove a role',
  },
  'people.deactivate': {
    ...deskWriteDefaults,
    ...adminWriteDefaults,
    path: '/people/:id/deactivate',
    verbPhrase: 'deactivate a person',
  },
  'people.activate': {
    ...deskWriteDefaults,
    ...adminWriteDefaults,
    path: '/people/:id/activate',
    verbPhrase: 'activate a person',
  },
  'people.remove_factors': {
    ...deskWriteDefaults,
    ...adminWriteDefaults,
    path: '/people/:id/factors/remove',
    verbPhrase: 'remove the second factors of a person',
  },
  'people.end_sessions': {
    ...deskWriteDefaults,
    ...adminWriteDefaults,
    path: '/people/:id/sessions/end',
    verbPhrase: 'end the sessions of a person',
  },
})
