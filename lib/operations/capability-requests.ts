import { defineOperations, everyone, movers } from './define'

/** Capability requests (interface document, `POST /v1/accounts/capability_requests`); the header names the account. */
export const capabilityRequests = defineOperations({
  'capability_requests.list': {
    method: 'GET',
    path: '/accounts/capability_requests',
    scope: 'required',
    allow: everyone,
    effect: 'read',
    does: 'list capability requests',
  },
  'capability_requests.create': {
    method: 'POST',
    path: '/accounts/capability_requests',
    scope: 'required',
    allow: movers,
    effect: 'write',
    reason: 'kept',
    invalidates: ['capability_requests', 'accounts', 'account_settings'],
    does: 'ask for capabilities or limits',
  },
})
