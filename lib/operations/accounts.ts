import {
  allRoles,
  defineOperations,
  evidenceRoles,
  moneyRoles,
  requireReadableForChange,
} from './define'

/**
 * Account operations. The service accepts no account header for them, so `accountFrom` names the
 * source of the account to authorize.
 */
export const accounts = defineOperations({
  'accounts.list': {
    method: 'GET',
    path: '/accounts',
    scope: 'forbidden',
    accountFrom: 'answer',
    allow: allRoles,
    effect: 'read',
    mirrored: true,
    verbPhrase: 'list accounts',
  },
  'accounts.get': {
    method: 'GET',
    path: '/accounts/:id',
    scope: 'forbidden',
    accountFrom: 'path',
    allow: allRoles,
    effect: 'read',
    verbPhrase: 'read an account',
  },
  'accounts.create': {
    method: 'POST',
    path: '/accounts',
    scope: 'forbidden',
    accountFrom: 'platform',
    allow: moneyRoles,
    effect: 'write',
    creates: 'accounts',
    invalidates: ['accounts'],
    verbPhrase: 'create an account',
    done: 'Account created',
  },
  'accounts.update': {
    method: 'PUT',
    path: '/accounts/:id',
    scope: 'forbidden',
    accountFrom: 'path',
    allow: moneyRoles,
    effect: 'write',
    reason: 'kept',
    invalidates: ['accounts', 'account_settings'],
    restsOn: requireReadableForChange('business_profile', 'external_id', 'metadata'),
    verbPhrase: 'change an account',
    done: 'Account saved',
  },
  'accounts.onboard': {
    method: 'POST',
    path: '/accounts/:id/onboard',
    scope: 'forbidden',
    accountFrom: 'path',
    allow: moneyRoles,
    effect: 'write',
    creates: null,
    invalidates: ['accounts', 'account_settings', 'representatives', 'linked_bank_accounts'],
    verbPhrase: 'submit an account for verification',
    done: 'Onboarding started',
  },
  'accounts.simulate': {
    method: 'POST',
    path: '/accounts/:id/simulate',
    scope: 'forbidden',
    accountFrom: 'path',
    allow: evidenceRoles,
    effect: 'write',
    query: ['final_status'],
    only: 'sandbox',
    creates: null,
    invalidates: ['accounts', 'account_settings', 'representatives', 'linked_bank_accounts'],
    verbPhrase: 'simulate the onboarding of an account',
    done: 'Onboarding simulated',
  },
})

/**
 * The settings of an account (interface document, `GET /v1/account_settings/{account_id}`). The id
 * in the path is the account's.
 */
export const accountSettings = defineOperations({
  'account_settings.get': {
    method: 'GET',
    path: '/account_settings/:id',
    scope: 'forbidden',
    accountFrom: 'path',
    allow: allRoles,
    effect: 'read',
    verbPhrase: 'read the settings of an account',
  },
})

/**
 * Organization operations (provider facts 1.8). The service can neither change nor delete an
 * organization.
 */
export const organizations = defineOperations({
  'organizations.list': {
    method: 'GET',
    path: '/organizations',
    scope: 'forbidden',
    accountFrom: 'platform',
    allow: allRoles,
    effect: 'read',
    mirrored: true,
    verbPhrase: 'list organizations',
  },
  'organizations.get': {
    method: 'GET',
    path: '/organizations/:id',
    scope: 'forbidden',
    accountFrom: 'platform',
    allow: allRoles,
    effect: 'read',
    verbPhrase: 'read an organization',
  },
  'organizations.create': {
    method: 'POST',
    path: '/organizations',
    scope: 'forbidden',
    accountFrom: 'platform',
    allow: moneyRoles,
    effect: 'write',
    creates: 'organizations',
    invalidates: ['organizations'],
    verbPhrase: 'create an organization',
    done: 'Organization created',
  },
})

/**
 * Capability requests (interface document, `POST /v1/accounts/capability_requests`). The account is
 * in the header. A configured path at the service may contain the account instead.
 */
export const capabilityRequests = defineOperations({
  'capability_requests.list': {
    method: 'GET',
    path: '/accounts/capability_requests',
    scope: 'required',
    configuredPath: true,
    allow: allRoles,
    effect: 'read',
    mirrored: true,
    verbPhrase: 'list capability requests',
  },
  'capability_requests.create': {
    method: 'POST',
    path: '/accounts/capability_requests',
    scope: 'required',
    configuredPath: true,
    allow: moneyRoles,
    effect: 'write',
    reason: 'kept',
    stepUp: true,
    fills: 'limits',
    creates: 'several',
    hooks: ['before'],
    invalidates: ['capability_requests', 'limit_requests', 'accounts', 'account_settings'],
    restsOn: { fields: ['charges', 'payouts'], so: 'nobody can say what would change.' },
    verbPhrase: 'request capabilities or limits',
    done: 'Request sent',
  },
})
