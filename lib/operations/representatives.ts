import { defineOperations, everyone, movers, provers } from './define'

/** Representative operations (provider facts 1.9); the body or the object itself names the account. */
export const representatives = defineOperations({
  'representatives.list': {
    method: 'GET',
    path: '/representatives',
    scope: 'forbidden',
    allow: everyone,
    effect: 'read',
    does: 'list representatives',
  },
  'representatives.get': {
    method: 'GET',
    path: '/representatives/:id',
    scope: 'forbidden',
    allow: everyone,
    effect: 'read',
    does: 'read a representative',
  },
  'representatives.unmask': {
    method: 'GET',
    path: '/representatives/:id/unmask',
    scope: 'forbidden',
    allow: provers,
    effect: 'read',
    reason: 'kept',
    sensitive: true,
    does: 'reveal what is masked of a representative',
  },
  'representatives.create': {
    method: 'POST',
    path: '/representatives',
    scope: 'forbidden',
    allow: movers,
    effect: 'write',
    invalidates: ['representatives'],
    does: 'add a representative',
  },
  'representatives.update': {
    method: 'PUT',
    path: '/representatives/:id',
    scope: 'forbidden',
    allow: movers,
    effect: 'write',
    reason: 'kept',
    invalidates: ['representatives'],
    does: 'change a representative',
  },
})
