import { defineOperations, everyone } from './define'

/** Paykey operations (interface document, "Look up a paykey"). */
export const paykeys = defineOperations({
  'paykeys.get': { method: 'GET', path: '/paykeys/:id', scope: 'optional', allow: everyone, effect: 'read', does: 'read a paykey' },
})
