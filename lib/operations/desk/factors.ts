import { defineDeskOperations, deskRead, deskWrite } from '@/lib/operations/define'

const factorWrite = { events: ['applied'], stepUp: true, invalidates: ['factors'] } as const

/** Second factors, in addition to the password. People manage their own; an admin can only remove another person's. */
export const factors = defineDeskOperations({
  'factors.list': { ...deskRead, path: '/factors', verbPhrase: 'list second factors' },
  'factors.begin_passkey': {
    ...deskWrite,
    path: '/factors/passkeys/begin',
    stepUp: 'enrollment',
    invalidates: [],
    verbPhrase: 'add a passkey',
  },
  // Needs no step-up: the one-time enrollment id was issued after one.
  'factors.add_passkey': {
    ...deskWrite,
    path: '/factors/passkeys',
    events: ['applied'],
    invalidates: ['factors'],
    verbPhrase: 'add a passkey',
  },
  'factors.rename_passkey': {
    ...deskWrite,
    method: 'PUT',
    path: '/factors/passkeys/:id',
    events: ['applied'],
    invalidates: ['factors'],
    verbPhrase: 'rename a passkey',
  },
  'factors.remove_passkey': {
    ...deskWrite,
    ...factorWrite,
    method: 'DELETE',
    path: '/factors/passkeys/:id',
    verbPhrase: 'remove a passkey',
  },
  'factors.begin_totp': {
    ...deskWrite,
    path: '/factors/totp/begin',
    stepUp: 'enrollment',
    invalidates: [],
    verbPhrase: 'add an authenticator app',
  },
  'factors.confirm_totp': {
    ...deskWrite,
    path: '/factors/totp',
    events: ['applied'],
    invalidates: ['factors'],
    verbPhrase: 'add an authenticator app',
  },
  'factors.remove_totp': {
    ...deskWrite,
    ...factorWrite,
    method: 'DELETE',
    path: '/factors/totp',
    verbPhrase: 'remove the authenticator app',
  },
  'factors.new_codes': { ...deskWrite, ...factorWrite, path: '/factors/recovery-codes', verbPhrase: 'make new recovery codes' },
})

/** Step-up: the person proves that a request is their own. */
export const stepUps = defineDeskOperations({
  'step_ups.prove': {
    ...deskWrite,
    path: '/step-ups/:id',
    events: ['applied', 'refused'],
    invalidates: [],
    verbPhrase: 'confirm who you are',
  },
})
