import { defineOperations, everyone, movers, provers } from './define'

/** Account operations. The service takes no account header here: the account in the path is the thing to authorise. */
export const accounts = defineOperations({
  'accounts.list': { method: 'GET', path: '/accounts', scope: 'forbidden', allow: everyone, effect: 'read', does: 'list accounts' },
  'accounts.get': { method: 'GET', path: '/accounts/:id', scope: 'forbidden', allow: everyone, effect: 'read', does: 'read an account' },
  'accounts.create': {
    method: 'POST',
    path: '/accounts',
    scope: 'forbidden',
    allow: movers,
    effect: 'write',
    invalidates: ['accounts'],
    does: 'create an account',
  },
  'accounts.update': {
    method: 'PUT',
    path: '/accounts/:id',
    scope: 'forbidden',
    allow: movers,
    effect: 'write',
    reason: 'kept',
    invalidates: ['accounts', 'account_settings'],
    does: 'change an account',
  },
  'accounts.onboard': {
    method: 'POST',
    path: '/accounts/:id/onboard',
    scope: 'forbidden',
    allow: movers,
    effect: 'write',
    invalidates: ['accounts', 'account_settings', 'representatives', 'linked_bank_accounts'],
    does: 'hand an account to verification',
  },
  'accounts.simulate': {
    method: 'POST',
    path: '/accounts/:id/simulate',
    scope: 'forbidden',
    allow: provers,
    effect: 'write',
    query: ['final_status'],
    only: 'sandbox',
    invalidates: ['accounts', 'account_settings', 'representatives', 'linked_bank_accounts'],
    does: 'simulate the onboarding of an account',
  },
})
