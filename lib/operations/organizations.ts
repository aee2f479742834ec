import { defineOperations, everyone, movers } from './define'

/** Organization operations (provider facts 1.8); the service has neither an update nor a removal. */
export const organizations = defineOperations({
  'organizations.list': {
    method: 'GET',
    path: '/organizations',
    scope: 'forbidden',
    allow: everyone,
    effect: 'read',
    does: 'list organizations',
  },
  'organizations.get': {
    method: 'GET',
    path: '/organizations/:id',
    scope: 'forbidden',
    allow: everyone,
    effect: 'read',
    does: 'read an organization',
  },
  'organizations.create': {
    method: 'POST',
    path: '/organizations',
    scope: 'forbidden',
    allow: movers,
    effect: 'write',
    invalidates: ['organizations'],
    does: 'create an organization',
  },
})
