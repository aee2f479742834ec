import { defineOperations, everyone, movers, provers } from './define'

/** Linked bank account operations (provider facts 1.10); the body or the object itself names the account. */
export const linkedBankAccounts = defineOperations({
  'linked_bank_accounts.list': {
    method: 'GET',
    path: '/linked_bank_accounts',
    scope: 'forbidden',
    allow: everyone,
    effect: 'read',
    does: 'list linked bank accounts',
  },
  'linked_bank_accounts.get': {
    method: 'GET',
    path: '/linked_bank_accounts/:id',
    scope: 'forbidden',
    allow: everyone,
    effect: 'read',
    does: 'read a linked bank account',
  },
  'linked_bank_accounts.unmask': {
    method: 'GET',
    path: '/linked_bank_accounts/:id/unmask',
    scope: 'forbidden',
    allow: provers,
    effect: 'read',
    reason: 'kept',
    sensitive: true,
    does: 'reveal the number of a linked bank account',
  },
  'linked_bank_accounts.create': {
    method: 'POST',
    path: '/linked_bank_accounts',
    scope: 'forbidden',
    allow: movers,
    effect: 'write',
    invalidates: ['linked_bank_accounts', 'accounts', 'account_settings'],
    does: 'link a bank account',
  },
  'linked_bank_accounts.update': {
    method: 'PUT',
    path: '/linked_bank_accounts/:id',
    scope: 'forbidden',
    allow: movers,
    effect: 'write',
    invalidates: ['linked_bank_accounts', 'accounts', 'account_settings'],
    does: 'correct a linked bank account',
  },
  'linked_bank_accounts.cancel': {
    method: 'PATCH',
    path: '/linked_bank_accounts/:id/cancel',
    scope: 'forbidden',
    allow: movers,
    effect: 'irreversible',
    invalidates: ['linked_bank_accounts', 'accounts', 'account_settings'],
    does: 'cancel a linked bank account',
  },
})
