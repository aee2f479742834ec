import {
  requireConfigFlag,
  requireNoForcedOutcome,
  requireOpenAccount,
} from '@/sandbox/accounts/configuration'
import type { Customer } from '@/sandbox/customers/customer-schema'
import { makeInvalidFieldProblem, makeUnprocessableProblem } from '@/sandbox/http/problem'
import type { Sandbox } from '@/sandbox/sandbox'
import type { PaykeyConfig } from './paykey-schema'
import type { BankAccount } from './paykey-store'

export type RequestedLink = {
  account: number
  customer_id: string
  config: PaykeyConfig
  external_id: string | null
}

function requireCustomer(
  { customers }: Sandbox,
  { account, customer_id }: RequestedLink,
): Customer {
  const linkedCustomer = customers.get(customer_id, account)?.doc
  if (!linkedCustomer)
    throw makeInvalidFieldProblem(
      'There is no such customer in this account.',
      'customer_id',
      'is not known here',
    )
  if (linkedCustomer.status === 'rejected')
    throw makeUnprocessableProblem('The customer was rejected and cannot link a bank account.')
  if (linkedCustomer.status === 'inactive')
    throw makeUnprocessableProblem('The customer is inactive and cannot link a bank account.')
  return linkedCustomer
}

function requireAllowedConfig(sandbox: Sandbox, { account, config }: RequestedLink): void {
  requireNoForcedOutcome(sandbox, config.sandbox_outcome)
  if (config.processing_method === 'skip')
    requireConfigFlag(sandbox, account, 'allow_paykey_verification_skip')
}

function requireUnusedExternalId(
  { paykeys }: Sandbox,
  { account, external_id }: RequestedLink,
): void {
  if (
    external_id === null ||
    paykeys.find({ column: 'account', is: account }, { column: 'external_id', is: external_id })
      .length === 0
  )
    return
  throw makeInvalidFieldProblem(
    'The external_id is in use.',
    'external_id',
    'is the reference of another paykey of this account',
  )
}

export function requireLinkable(sandbox: Sandbox, requestedLink: RequestedLink): Customer {
  requireOpenAccount(sandbox, requestedLink.account, 'link bank accounts')
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
