import { defineOperations, everyone, provers } from './define'

/** Charge operations (provider facts 1.4). */
export const charges = defineOperations({
  'charges.get': { method: 'GET', path: '/charges/:id', scope: 'optional', allow: everyone, effect: 'read', does: 'read a charge' },
  'charges.unmask': {
    method: 'GET',
    path: '/charges/:id/unmask',
    scope: 'optional',
    allow: provers,
    effect: 'read',
    reason: 'kept',
    sensitive: true,
    does: 'reveal what is masked of a charge',
  },
})
