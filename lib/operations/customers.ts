import { defineOperations, everyone } from './define'

/** Customer operations. */
export const customers = defineOperations({
  'customers.get': { method: 'GET', path: '/customers/:id', scope: 'optional', allow: everyone, effect: 'read', does: 'read a customer' },
})
