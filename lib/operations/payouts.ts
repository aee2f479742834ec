import { defineOperations, everyone, movers, provers } from './define'

/** Payout operations (interface document, "Operations"; hold and cancel from the provider's contract). */
export const payouts = defineOperations({
  'payouts.get': { method: 'GET', path: '/payouts/:id', scope: 'optional', allow: everyone, effect: 'read', does: 'read a payout' },
  'payouts.hold': {
    method: 'PUT',
    path: '/payouts/:id/hold',
    scope: 'required',
    allow: movers,
    effect: 'write',
    invalidates: ['payouts', 'payments'],
    does: 'hold a payout',
  },
  'payouts.release': {
    method: 'PUT',
    path: '/payouts/:id/release',
    scope: 'required',
    allow: movers,
    effect: 'money',
    invalidates: ['payouts', 'payments'],
    does: 'release a payout',
  },
  'payouts.cancel': {
    method: 'PUT',
    path: '/payouts/:id/cancel',
    scope: 'required',
    allow: movers,
    effect: 'irreversible',
    invalidates: ['payouts', 'payments'],
    does: 'cancel a payout',
  },
  'payouts.authorize': {
    method: 'POST',
    path: '/payouts/:id/authorization',
    scope: 'required',
    allow: provers,
    effect: 'write',
    body: 'file',
    invalidates: ['payouts'],
    does: 'upload an authorization proof for a payout',
  },
})
