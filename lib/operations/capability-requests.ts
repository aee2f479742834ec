import { defineOperations, everyone } from './define'

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
})
