import { z } from 'zod'
import { type ProblemItem, unprocessable } from '@/sandbox/http/problem'
import { word } from '@/sandbox/http/read-body'
import {
  linkedBankAccountMachine,
  linkedBankAccountsOf,
  moveLinkedBankAccount,
  stateOf,
} from '@/sandbox/linked-bank-accounts/linked-bank-account-machine'
import { judge, requireMove } from '@/sandbox/machine'
import { objectOperation } from '@/sandbox/operation'
import { moveRepresentative, representativeMachine, representativesOf } from '@/sandbox/representatives/representative-machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { account } from './account'
import { onboardBody } from './account-input'
import { type AccountEntry, type AccountMove, accountMachine, moveAccount } from './account-machine'
import { findAccount } from './find-account'

/** Returns the missing requirements for onboarding (provider-facts 1.8, 2.16). */
function missing(sandbox: Sandbox, { n }: AccountEntry): ProblemItem[] {
  const items: ProblemItem[] = []
  if (!representativesOf(sandbox, n).some(({ doc }) => doc.relationship.control)) {
    items.push({ reference: 'representatives', detail: 'at least one with relationship.control is needed' })
  }
  if (linkedBankAccountsOf(sandbox, n).length === 0) {
    items.push({ reference: 'linked_bank_accounts', detail: 'at least one is needed' })
  }
  return items
}

/** Makes the same move on the account's representatives and linked bank accounts, if their states allow it. */
function takeAlong(sandbox: Sandbox, { n }: AccountEntry, move: 'onboard' | 'verify', now: number): void {
  for (const entry of representativesOf(sandbox, n)) {
    if (judge(representativeMachine, move, entry.doc.status) === 'moves') moveRepresentative(sandbox, entry, move, now)
  }
  for (const entry of linkedBankAccountsOf(sandbox, n)) {
    if (judge(linkedBankAccountMachine, move, stateOf(entry.doc)) === 'moves') moveLinkedBankAccount(sandbox, entry, move, now)
  }
}

/** `POST /v1/accounts/{account_id}/onboard`: submits the account, its representatives and linked bank accounts for verification. */
export const onboardAccount = objectOperation({
  id: 'accounts.onboard',
  method: 'POST',
  path: '/v1/accounts/:account_id/onboard',
  summary: 'Accept the terms and submit an account for verification',
  account: 'forbidden',
  status: 201,
  input: onboardBody,
  output: account,
  handle: (call) => {
    const { sandbox, now, input } = call
    const entry = findAccount(call)
    requireMove(accountMachine, 'onboard', entry.doc.status)
    const items = missing(sandbox, entry)
    if (items.length > 0) throw unprocessable('The account is not complete enough to be onboarded.', items)
    const terms = input.terms_of_service
    entry.doc.terms_of_service = { ...terms, accepted_date: new Date(terms.accepted_date).toISOString() }
    const from = moveAccount(sandbox, entry, 'onboard', now)
    takeAlong(sandbox, entry, 'onboard', now)
    call.effect({ target_id: entry.doc.id, account_id: entry.doc.id, from, to: entry.doc.status })
    return entry.doc
  },
})

const simulateQuery = z.strictObject({ final_status: word(['onboarding', 'active']).optional() })

/** Returns the move to the requested stage, or to the next one the machine allows. */
function simulated(status: AccountEntry['doc']['status'], requested: 'onboarding' | 'active' | undefined): AccountMove {
  if (requested !== undefined) return `simulate_${requested}`
  return judge(accountMachine, 'simulate_onboarding', status) === 'moves' ? 'simulate_onboarding' : 'simulate_active'
}

/** `POST /v1/accounts/{account_id}/simulate`: applies the decision of a verification immediately. */
export const simulateAccount = objectOperation({
  id: 'accounts.simulate',
  method: 'POST',
  path: '/v1/accounts/:account_id/simulate',
  summary: 'Move a sandbox account to the next stage of onboarding, or to the one named',
  account: 'forbidden',
  status: 201,
  only: 'sandbox',
  query: simulateQuery,
  output: account,
  handle: (call) => {
    const { sandbox, now, query } = call
    const entry = findAccount(call)
    const move = simulated(entry.doc.status, query.final_status)
    const from = moveAccount(sandbox, entry, move, now)
    takeAlong(sandbox, entry, move === 'simulate_onboarding' ? 'onboard' : 'verify', now)
    call.effect({ target_id: entry.doc.id, account_id: entry.doc.id, from, to: entry.doc.status })
    return entry.doc
  },
})
