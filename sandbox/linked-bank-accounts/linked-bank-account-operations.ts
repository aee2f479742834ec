import { z } from 'zod'
import { requireSwitch } from '@/sandbox/accounts/configuration'
import { notFound } from '@/sandbox/http/problem'
import { uuid, word } from '@/sandbox/http/read-body'
import { pageOf, pageRequested, paging } from '@/sandbox/http/read-query'
import { requireMove } from '@/sandbox/machine'
import { type Call, listOperation, type Operation, objectOperation } from '@/sandbox/operation'
import { iso } from '@/sandbox/store/clock'
import { updateBody } from './linked-bank-account-input'
import {
  createLinkedBankAccount,
  linkedBankAccountMachine,
  maskedBankAccount,
  moveLinkedBankAccount,
  ownerOf,
  saveLinkedBankAccount,
  stateOf,
} from './linked-bank-account-machine'
import {
  type LinkedBankAccountEntry,
  linkedBankAccount,
  linkedBankAccountPurposes,
  linkedBankAccountStatuses,
  unmaskedLinkedBankAccount,
} from './linked-bank-account-store'

/** Returns the linked bank account of a request's path. Throws a 404 if it does not exist. */
function find({ sandbox, params }: Call): LinkedBankAccountEntry {
  const entry = sandbox.linkedBankAccounts.get(params.id ?? '')
  if (!entry) throw notFound('linked bank account')
  return entry
}

const listQuery = z.strictObject({
  ...paging(['id', 'created_at']),
  account_id: uuid.optional(),
  level: word(['account', 'platform']).optional(),
  purpose: word(linkedBankAccountPurposes).optional(),
  status: word(linkedBankAccountStatuses).optional(),
})

const list = listOperation({
  id: 'linked_bank_accounts.list',
  method: 'GET',
  path: '/v1/linked_bank_accounts',
  summary: 'List linked bank accounts',
  account: 'forbidden',
  query: listQuery,
  output: linkedBankAccount,
  handle: ({ sandbox, query }) => {
    const { account_id, level, purpose, status } = query
    const where = [
      // No account has the number 0, so an unknown account matches nothing.
      { column: 'account', is: account_id && (sandbox.accounts.numberOf(account_id.toLowerCase()) ?? 0) },
      { column: 'level', is: level },
      { column: 'purposes', has: purpose },
      { column: 'status', is: status },
    ]
    const { total, entries } = sandbox.linkedBankAccounts.page({ ...pageRequested(query, 'id'), where })
    const items = entries.map((entry) => entry.doc)
    return pageOf(query, 'id', total, items)
  },
})

const get = objectOperation({
  id: 'linked_bank_accounts.get',
  method: 'GET',
  path: '/v1/linked_bank_accounts/:id',
  summary: 'Look up a linked bank account',
  account: 'forbidden',
  output: linkedBankAccount,
  handle: (call) => find(call).doc,
})

const unmask = objectOperation({
  id: 'linked_bank_accounts.unmask',
  method: 'GET',
  path: '/v1/linked_bank_accounts/:id/unmask',
  summary: 'Look up a linked bank account with its whole account number',
  account: 'forbidden',
  output: unmaskedLinkedBankAccount,
  handle: (call) => {
    const { account, doc, secret } = find(call)
    // The platform's own bank account has no account setting that could forbid it.
    if (account !== null) requireSwitch(call.sandbox, account, 'allow_data_unmask')
    const { account_mask: _mask, ...bank } = doc.bank_account
    return { ...doc, bank_account: { ...bank, account_number: secret.account_number } }
  },
})

const update = objectOperation({
  id: 'linked_bank_accounts.update',
  method: 'PUT',
  path: '/v1/linked_bank_accounts/:id',
  summary: 'Correct the bank account before it is verified',
  account: 'forbidden',
  input: updateBody,
  output: linkedBankAccount,
  handle: (call) => {
    const { sandbox, input, now } = call
    const entry = find(call)
    const { doc } = entry
    requireMove(linkedBankAccountMachine, 'update', stateOf(doc))
    doc.bank_account = maskedBankAccount(input.bank_account)
    entry.secret.account_number = input.bank_account.account_number
    if (input.metadata) doc.metadata = input.metadata
    doc.updated_at = iso(now)
    saveLinkedBankAccount(sandbox, entry, now)
    call.effect({ target_id: doc.id, account_id: ownerOf(doc), from: doc.status, to: doc.status })
    return doc
  },
})

const cancel = objectOperation({
  id: 'linked_bank_accounts.cancel',
  method: 'PATCH',
  path: '/v1/linked_bank_accounts/:id/cancel',
  summary: 'Cancel a linked bank account that was never verified',
  account: 'forbidden',
  output: linkedBankAccount,
  handle: (call) => {
    const entry = find(call)
    const from = moveLinkedBankAccount(call.sandbox, entry, 'cancel', call.now, { message: 'Cancelled on request' })
    call.effect({ target_id: entry.doc.id, account_id: ownerOf(entry.doc), from, to: entry.doc.status })
    return entry.doc
  },
})

export const linkedBankAccountOperations: readonly Operation[] = [createLinkedBankAccount, list, get, unmask, update, cancel]
