import { defineOperations, everyone, movers, provers } from './define'

/** Paykey operations (provider facts 1.3; interface document, "Look up a paykey"). A paykey is made through the bridge. */
export const paykeys = defineOperations({
  'paykeys.list': { method: 'GET', path: '/paykeys', scope: 'optional', allow: everyone, effect: 'read', does: 'list paykeys' },
  'paykeys.get': { method: 'GET', path: '/paykeys/:id', scope: 'optional', allow: everyone, effect: 'read', does: 'read a paykey' },
  'paykeys.unmask': {
    method: 'GET',
    path: '/paykeys/:id/unmasked',
    scope: 'optional',
    allow: provers,
    effect: 'read',
    reason: 'kept',
    sensitive: true,
    does: 'reveal the numbers of a bank account',
  },
  'paykeys.reveal': {
    method: 'GET',
    path: '/paykeys/:id/reveal',
    scope: 'optional',
    allow: movers,
    effect: 'read',
    internal: true,
    does: 'read the token of a paykey',
  },
  'paykeys.review': {
    method: 'GET',
    path: '/paykeys/:id/review',
    scope: 'optional',
    allow: everyone,
    effect: 'read',
    does: 'read what the verification of a paykey found',
  },
})
