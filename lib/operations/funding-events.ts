import { allRoles, defineOperations, moneyRoles } from './define'

/** Funding event operations (provider facts 1.7). */
export const fundingEvents = defineOperations({
  'funding_events.list': {
    method: 'GET',
    path: '/funding_events',
    accountHeader: { saas: 'optional', marketplace: 'optional' },
    allow: allRoles,
    effect: 'read',
    mirrored: true,
    verbPhrase: 'list funding events',
  },
  'funding_events.get': {
    method: 'GET',
    path: '/funding_events/:id',
    accountHeader: { saas: 'optional', marketplace: 'optional' },
    allow: allRoles,
    effect: 'read',
    verbPhrase: 'read a funding event',
  },
  'funding_events.payments': {
    method: 'GET',
    path: '/funding_event_payments/:id',
    accountHeader: { saas: 'optional', marketplace: 'optional' },
    allow: allRoles,
    effect: 'read',
    verbPhrase: 'list the payments of a funding event',
  },
  'funding_events.simulate': {
    method: 'POST',
    path: '/funding_events/simulate',
    accountHeader: { saas: 'required', marketplace: 'required' },
    allow: moneyRoles,
    effect: 'write',
    only: 'sandbox',
    creates: 'funding_events',
    invalidates: ['funding_events', 'payments', 'charges', 'payouts'],
    verbPhrase: 'simulate a funding event',
    done: 'Funding event simulated',
    requestNoun: 'simulation',
  },
})
