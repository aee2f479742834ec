import {
  requireConfigFlag,
  requireNoForcedOutcome,
  requireOpenOwner,
} from '@/sandbox/accounts/configuration'
import { getOwnerNoun } from '@/sandbox/accounts/owner'
import type { Customer } from '@/sandbox/customers/customer-schema'
import { makeInvalidFieldProblem, makeUnprocessableProblem } from '@/sandbox/http/problem'
import type { Sandbox } from '@/sandbox/sandbox'
import type { PaykeyConfig } from './paykey-schema'
import type { BankAccount } from './paykey-store'

/** `owner` is the row number of the account that owns the customer; null for the platform. */
export type RequestedLink = {
  owner: number | null
  customer_id: string
  config: PaykeyConfig
  external_id: string | null
}

function requireCustomer({ customers }: Sandbox, { owner, customer_id }: RequestedLink): Customer {
  const linkedCustomer = customers.get(customer_id, owner)?.doc
  if (!linkedCustomer)
    throw makeInvalidFieldProblem(
      `There is no such customer in this ${getOwnerNoun(owner)}.`,
      'customer_id',
      'is not known here',
    )
  if (linkedCustomer.status === 'rejected')
    throw makeUnprocessableProblem('The customer was rejected and cannot link a bank account.')
  if (linkedCustomer.status === 'inactive')
    throw makeUnprocessableProblem('The customer is inactive and cannot link a bank account.')
  return linkedCustomer
}

function requireAllowedConfig(sandbox: Sandbox, { owner, config }: RequestedLink): void {
  requireNoForcedOutcome(sandbox, config.sandbox_outcome)
  if (config.processing_method === 'skip')
    requireConfigFlag(sandbox, owner, 'allow_paykey_verification_skip')
}

function requireUnusedExternalId(
  { paykeys }: Sandbox,
  { owner, external_id }: RequestedLink,
): void {
  if (
    external_id === null ||
    paykeys.find({ column: 'account', is: owner }, { column: 'external_id', is: external_id })
      .length === 0
  )
    return
  throw makeInvalidFieldProblem(
    'The external_id is in use.',
    'external_id',
    `is the reference of another paykey of this ${getOwnerNoun(owner)}`,
  )
}

export function requireLinkable(sandbox: Sandbox, requestedLink: RequestedLink): Customer {
  requireOpenOwner(sandbox, requestedLink.owner, 'link bank accounts')
  const customer = requireCustomer(sandbox, requestedLink)
  requireAllowedConfig(sandbox, requestedLink)
  requireUnusedExternalId(sandbox, requestedLink)
  return customer
}

export function requireOpenBankAccount({ paykeys }: Sandbox, bankAccount: BankAccount): void {
  const blockingCode = paykeys.blockOf(bankAccount)
  if (blockingCode !== undefined)
    throw makeUnprocessableProblem(
      `This bank account is blocked after a return with code ${blockingCode}; link another one.`,
    )
}
