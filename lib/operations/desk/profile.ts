import { defineDeskOperations, deskRead, deskWrite } from '@/lib/operations/define'

const profileWrite = { events: ['applied'], invalidates: ['profile'] } as const

/** The reader's own sessions and password. */
export const profile = defineDeskOperations({
  'profile.read': { ...deskRead, path: '/profile', verbPhrase: 'read your profile' },
  'profile.session': { ...deskRead, path: '/profile/session', unattended: true, verbPhrase: 'read when your session ends' },
  // The request itself extends the session, because it is not `unattended`.
  'profile.stay': { ...deskWrite, path: '/profile/session/stay', invalidates: [], verbPhrase: 'stay signed in' },
  'profile.end_session': {
    ...deskWrite,
    ...profileWrite,
    method: 'DELETE',
    path: '/profile/sessions/:id',
    verbPhrase: 'end one of your sessions',
  },
  'profile.end_sessions': { ...deskWrite, ...profileWrite, path: '/profile/sessions/end', verbPhrase: 'sign out everywhere' },
  'profile.change_password': {
    ...deskWrite,
    ...profileWrite,
    path: '/profile/password',
    events: ['applied', 'refused'],
    verbPhrase: 'change your password',
  },
})
