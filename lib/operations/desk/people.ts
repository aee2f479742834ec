import { defineDeskOperations, deskRead, deskWrite } from '@/lib/operations/define'

const byAdmin = { scope: 'platform', allow: ['admin'], events: ['applied'], stepUp: true, invalidates: ['people'] } as const

/** People and their grants. People are the same in every environment; each grant is for one. */
export const people = defineDeskOperations({
  'people.list': { ...deskRead, path: '/people', scope: 'platform', allow: ['admin'], verbPhrase: 'list people' },
  'people.access_review': {
    ...deskRead,
    path: '/people/access-review',
    scope: 'platform',
    allow: ['admin'],
    events: ['applied'],
    ownPagesOnly: true,
    stepUp: true,
    answers: 'file',
    verbPhrase: 'export the access review',
  },
  'people.invite': { ...deskWrite, ...byAdmin, path: '/people', status: 201, verbPhrase: 'invite a person' },
  'people.confirm_grant': {
    ...deskWrite,
    ...byAdmin,
    path: '/people/:id/grant-requests/:request/confirm',
    verbPhrase: 'confirm a role that another admin granted',
  },
  'people.reject_grant': {
    ...deskWrite,
    ...byAdmin,
    path: '/people/:id/grant-requests/:request/reject',
    verbPhrase: 'reject or withdraw a role that waits for another admin',
  },
  'people.link': { ...deskWrite, ...byAdmin, path: '/people/:id/link', verbPhrase: 'make another invitation link' },
  'people.grant': { ...deskWrite, ...byAdmin, events: ['applied', 'asked'], path: '/people/:id/grants', verbPhrase: 'grant a role' },
  'people.take_grant': {
    ...deskWrite,
    ...byAdmin,
    method: 'DELETE',
    path: '/people/:id/grants/:grant',
    verbPhrase: 'remove a role',
  },
  'people.deactivate': { ...deskWrite, ...byAdmin, path: '/people/:id/deactivate', verbPhrase: 'deactivate a person' },
  'people.activate': { ...deskWrite, ...byAdmin, path: '/people/:id/activate', verbPhrase: 'activate a person' },
  'people.remove_factors': {
    ...deskWrite,
    ...byAdmin,
    path: '/people/:id/factors/remove',
    verbPhrase: 'remove the second factors of a person',
  },
  'people.end_sessions': { ...deskWrite, ...byAdmin, path: '/people/:id/sessions/end', verbPhrase: 'end the sessions of a person' },
})
