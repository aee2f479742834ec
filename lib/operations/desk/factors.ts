import { defineDeskOperations, deskReadDefaults, deskWriteDefaults } from '@/lib/operations/define'

const factorWriteDefaults = { events: ['applied'], stepUp: true, invalidates: ['factors'] } as const

/** People manage their own factors; an admin can only remove those of another person. */
export const factors = defineDeskOperations({
  'factors.list': { ...deskReadDefaults, path: '/factors', verbPhrase: 'list second factors' },
  'factors.begin_passkey': {
    ...deskWriteDefaults,
    path: '/factors/passkeys/begin',
    stepUp: 'enrollment',
    invalidates: [],
    verbPhrase: 'add a passkey',
  },
  // No step-up here: the input has the one-time id that `factors.begin_passkey` returns after a
  // step-up.
  'factors.add_passkey': {
    ...deskWriteDefaults,
    path: '/factors/passkeys',
    events: ['applied'],
    invalidates: ['factors'],
    verbPhrase: 'add a passkey',
  },
  'factors.rename_passkey': {
    ...deskWriteDefaults,
    method: 'PUT',
    path: '/factors/passkeys/:id',
    events: ['applied'],
    invalidates: ['factors'],
    verbPhrase: 'rename a passkey',
  },
  'factors.remove_passkey': {
    ...deskWriteDefaults,
    ...factorWriteDefaults,
    method: 'DELETE',
    path: '/factors/passkeys/:id',
    verbPhrase: 'remove a passkey',
  },
  'factors.begin_totp': {
    ...deskWriteDefaults,
    path: '/factors/totp/begin',
    stepUp: 'enrollment',
    invalidates: [],
    verbPhrase: 'add an authenticator app',
  },
  'factors.confirm_totp': {
    ...deskWriteDefaults,
    path: '/factors/totp',
    events: ['applied'],
    invalidates: ['factors'],
    verbPhrase: 'add an authenticator app',
  },
  'factors.remove_totp': {
    ...deskWriteDefaults,
    ...factorWriteDefaults,
    method: 'DELETE',
    path: '/factors/totp',
    verbPhrase: 'remove the authenticator app',
  },
  'factors.new_codes': {
    ...deskWriteDefaults,
    ...factorWriteDefaults,
    path: '/factors/recovery-codes',
    verbPhrase: 'make new recovery codes',
  },
})

/** Before a sensitive request, the person proves again who they are. */
export const stepUps = defineDeskOperations({
  'step_ups.prove': {
    ...deskWriteDefaults,
    path: '/step-ups/:id',
    events: ['applied', 'refused'],
    invalidates: [],
    verbPhrase: 'confirm own identity',
  },
})
