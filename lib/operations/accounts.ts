import { defineOperations, everyone } from './define'

/** Account operations. The service takes no account header here: the account in the path is the thing to authorise. */
export const accounts = defineOperations({
  'accounts.list': { method: 'GET', path: '/accounts', scope: 'forbidden', allow: everyone, effect: 'read', does: 'list accounts' },
  'accounts.get': { method: 'GET', path: '/accounts/:id', scope: 'forbidden', allow: everyone, effect: 'read', does: 'read an account' },
})
