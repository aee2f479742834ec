import { defineOperations, everyone } from './define'

/** One search over charges and payouts: the provider answers 405 on a list of payouts alone. */
export const payments = defineOperations({
  'payments.search': { method: 'GET', path: '/payments', scope: 'optional', allow: everyone, effect: 'read', does: 'search payments' },
})
