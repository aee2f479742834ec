import { defineOperations, everyone, provers } from './define'

/** Customer operations (provider facts 1.1; interface document, "Delete a customer"). */
export const customers = defineOperations({
  'customers.list': { method: 'GET', path: '/customers', scope: 'optional', allow: everyone, effect: 'read', does: 'list customers' },
  'customers.by_email': {
    method: 'GET',
    path: '/customers',
    scope: 'optional',
    allow: everyone,
    effect: 'read',
    internal: true,
    does: 'find customers by e-mail',
  },
  'customers.get': { method: 'GET', path: '/customers/:id', scope: 'optional', allow: everyone, effect: 'read', does: 'read a customer' },
  'customers.unmask': {
    method: 'GET',
    path: '/customers/:id/unmasked',
    scope: 'optional',
    allow: provers,
    effect: 'read',
    reason: 'kept',
    sensitive: true,
    does: 'reveal what is masked of a customer',
  },
  'customers.review': {
    method: 'GET',
    path: '/customers/:id/review',
    scope: 'optional',
    allow: everyone,
    effect: 'read',
    does: 'read what the verification of a customer found',
  },
})
