import { defineDeskOperations, deskReadDefaults, deskWriteDefaults } from '@/lib/operations/define'

const profileWriteDefaults = { events: ['applied'], invalidates: ['profile'] } as const

export const profile = defineDeskOperations({
  'profile.read': { ...deskReadDefaults, path: '/profile', verbPhrase: 'read your profile' },
  'profile.session': {
    ...deskReadDefaults,
    path: '/profile/session',
    unattended: true,
    verbPhrase: 'read when your session ends',
  },
  // Every request that is not `unattended` extends the session. This one has no other purpose.
  'profile.stay': {
    ...deskWriteDefaults,
    path: '/profile/session/stay',
    invalidates: [],
    verbPhrase: 'stay signed in',
  },
  'profile.end_session': {
    ...deskWriteDefaults,
    ...profileWriteDefaults,
    method: 'DELETE',
    path: '/profile/sessions/:id',
    verbPhrase: 'end one of your sessions',
  },
  'profile.end_sessions': {
    ...deskWriteDefaults,
    ...profileWriteDefaults,
    path: '/profile/sessions/end',
    verbPhrase: 'sign out everywhere',
  },
  'profile.change_password': {
    ...deskWriteDefaults,
    ...profileWriteDefaults,
    path: '/profile/password',
    events: ['applied', 'refused'],
    verbPhrase: 'change your password',
  },
})
