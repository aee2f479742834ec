import { defineDeskOperations, deskRead, deskWrite } from '@/lib/operations/define'

const adminWrite = { scope: 'platform', allow: ['admin'], events: ['applied'], stepUp: true, invalidates: ['people'] } as const

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
  'people.invite': { ...deskWrite, ...adminWrite, path: '/people', status: 201, verbPhrase: 'invite a person' },
  'people.confirm_grant': {
    ...deskWrite,
    ...adminWrite,
    path: '/people/:id/grant-requests/:request/confirm',
    verbPhrase: 'confirm a role that another admin granted',
  },
  'people.reject_grant': {
    ...deskWrite,
    ...adminWrite,
    path: '/people/:id/grant-requests/:request/reject',
    verbPhrase: 'reject or withdraw a role that waits for another admin',
  },
  'people.link': { ...deskWrite, ...adminWrite, path: '/people/:id/link', verbPhrase: 'make another invitation link' },
  'people.grant': { ...deskWrite, ...adminWrite, events: ['applied', 'asked'], path: '/people/:id/grants', verbPhrase: 'grant a role' },
  'people.take_grant': {
    ...deskWrite,
    ...adminWrite,
    method: 'DELETE',
    path: '/people/:id/grants/:grant',
    verbPhrase: 'remove a role',
  },
  'people.deactivate': { ...deskWrite, ...adminWrite, path: '/people/:id/deactivate', verbPhrase: 'deactivate a person' },
  'people.activate': { ...deskWrite, ...adminWrite, path: '/people/:id/activate', verbPhrase: 'activate a person' },
  'people.remove_factors': {
    ...deskWrite,
    ...adminWrite,
    path: '/people/:id/factors/remove',
    verbPhrase: 'remove the second factors of a person',
  },
  'people.end_sessions': { ...deskWrite, ...adminWrite, path: '/people/:id/sessions/end', verbPhrase: 'end the sessions of a person' },
})
