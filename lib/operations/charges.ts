import { defineOperations, everyone } from './define'

/** Charge operations. */
export const charges = defineOperations({
  'charges.get': { method: 'GET', path: '/charges/:id', scope: 'optional', allow: everyone, effect: 'read', does: 'read a charge' },
})
