import {
  allRoles,
  defineOperations,
  evidenceRoles,
  moneyRoles,
  reviewRoles,
  type ServiceOperation,
} from './define'

/**
 * Paykey operations (provider facts 1.3; interface document, "Look up a paykey"). Only the bridge
 * operations create paykeys.
 */
export const paykeys = defineOperations({
  'paykeys.list': {
    method: 'GET',
    path: '/paykeys',
    scope: 'optional',
    allow: allRoles,
    effect: 'read',
    mirrored: true,
    verbPhrase: 'list paykeys',
  },
  'paykeys.get': {
    method: 'GET',
    path: '/paykeys/:id',
    scope: 'optional',
    allow: allRoles,
    effect: 'read',
    verbPhrase: 'read a paykey',
  },
  'paykeys.unmask': {
    method: 'GET',
    path: '/paykeys/:id/unmasked',
    scope: 'optional',
    allow: evidenceRoles,
    effect: 'read',
    reason: 'kept',
    sensitive: true,
    stepUp: true,
    verbPhrase: 'reveal the numbers of a bank account',
  },
  'paykeys.reveal': {
    method: 'GET',
    path: '/paykeys/:id/reveal',
    scope: 'optional',
    allow: moneyRoles,
    effect: 'read',
    internal: true,
    credential: true,
    verbPhrase: 'read the token of a paykey',
  },
  'paykeys.review': {
    method: 'GET',
    path: '/paykeys/:id/review',
    scope: 'optional',
    allow: allRoles,
    effect: 'read',
    verbPhrase: 'read the review of a paykey',
  },
  'paykeys.cancel': {
    method: 'PUT',
    path: '/paykeys/:id/cancel',
    scope: 'required',
    allow: reviewRoles,
    effect: 'irreversible',
    reason: 'sent',
    hooks: ['before'],
    invalidates: ['paykeys', 'payments', 'charges', 'payouts'],
    verbPhrase: 'cancel a paykey',
    done: 'Canceled',
  },
  'paykeys.decide': {
    method: 'PATCH',
    path: '/paykeys/:id/review',
    scope: 'required',
    allow: reviewRoles,
    effect: 'irreversible',
    reason: 'kept',
    hooks: ['before'],
    invalidates: ['paykeys', 'payments', 'charges', 'payouts'],
    verbPhrase: 'approve or reject a paykey',
    done: 'Decision recorded',
  },
  'paykeys.refresh_review': {
    method: 'PUT',
    path: '/paykeys/:id/refresh_review',
    scope: 'required',
    allow: evidenceRoles,
    effect: 'write',
    invalidates: ['paykeys'],
    verbPhrase: 're-verify a paykey',
    done: 'Re-verification started',
  },
  'paykeys.refresh_balance': {
    method: 'PUT',
    path: '/paykeys/:id/refresh_balance',
    scope: 'required',
    allow: evidenceRoles,
    effect: 'write',
    invalidates: ['paykeys'],
    verbPhrase: 'refresh the balance of a paykey',
    done: 'Balance refresh started',
  },
  'paykeys.unblock': {
    method: 'PATCH',
    path: '/paykeys/:id/unblock',
    scope: 'required',
    allow: reviewRoles,
    effect: 'irreversible',
    reason: 'kept',
    stepUp: true,
    hooks: ['before'],
    invalidates: ['paykeys', 'payments', 'charges', 'payouts'],
    verbPhrase: 'unblock a paykey',
    done: 'Unblocked',
  },
})

const bridgeWriteDefaults = {
  ...{ method: 'POST', scope: 'required', allow: moneyRoles },
  ...{ effect: 'money', money: 'route', stepUp: true },
} as const satisfies Partial<ServiceOperation>
const connectWriteDefaults = {
  ...bridgeWriteDefaults,
  creates: 'paykeys',
  invalidates: ['paykeys'],
  done: 'Bank account connected',
} as const satisfies Partial<ServiceOperation>

/** Bridge operations, the only way to create a paykey (provider facts 1.2). */
export const bridge = defineOperations({
  'bridge.initialize': {
    ...bridgeWriteDefaults,
    path: '/bridge/initialize',
    creates: null,
    credential: true,
    invalidates: [],
    verbPhrase: 'start connecting a bank account',
    done: 'Done',
  },
  'bridge.bank_account': {
    ...connectWriteDefaults,
    path: '/bridge/bank_account',
    verbPhrase: 'connect a bank account',
  },
  'bridge.tan': {
    ...connectWriteDefaults,
    path: '/bridge/tan',
    verbPhrase: 'connect a bank account by a tokenized number',
  },
  'bridge.plaid': {
    ...connectWriteDefaults,
    path: '/bridge/plaid',
    verbPhrase: 'connect a bank account through Plaid',
  },
  'bridge.quiltt': {
    ...connectWriteDefaults,
    path: '/bridge/quiltt',
    verbPhrase: 'connect a bank account through Quiltt',
  },
  'bridge.speedchex': {
    ...connectWriteDefaults,
    path: '/bridge/speedchex',
    verbPhrase: 'connect a bank account through Speedchex',
  },
})
