import type { z } from 'zod'
import { detailOf } from '@/sandbox/accounts/verification'
import { unprocessable } from '@/sandbox/http/problem'
import { objectOperation } from '@/sandbox/operation'
import { platformId } from '@/sandbox/organizations/platform'
import { bankNameOf } from '@/sandbox/paykeys/bank-names'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/new-id'
import { createBody } from './linked-bank-account-input'
import { linkedBankAccountsOf, ownerOf, pointSettings } from './linked-bank-account-machine'
import { type LinkedBankAccount, linkedBankAccount, linkedBankAccountPurposes, type Purpose } from './linked-bank-account-store'

type Input = z.infer<typeof createBody>

export const maskedBankAccount = (given: Input['bank_account']): LinkedBankAccount['bank_account'] => ({
  institution_name: bankNameOf(given.routing_number) ?? `Bank ${given.routing_number}`,
  account_holder: given.account_holder,
  routing_number: given.routing_number,
  account_mask: given.account_number.slice(-4),
})

/** Returns number and id of the owning account, both null for the platform. Throws a 422 for an unknown one. */
function ownerRequested({ accounts }: Sandbox, { account_id, platform_id }: Input): { n: number | null; id: string | null } {
  if (platform_id && platform_id.toLowerCase() !== platformId) {
    throw unprocessable('There is no such platform.', [{ reference: 'platform_id', detail: 'is not the platform of this API key' }])
  }
  if (!account_id) return { n: null, id: null }
  const entry = accounts.get(account_id)
  if (!entry) throw unprocessable('There is no such account.', [{ reference: 'account_id', detail: 'is not an account of this platform' }])
  return { n: entry.n, id: entry.doc.id }
}

/** Throws a 422 if a purpose already has a linked bank account; so there are three at most (provider-facts 1.10). */
function requireFreePurposes(sandbox: Sandbox, owner: number | null, requested: readonly Purpose[]): void {
  const takenPurposes = linkedBankAccountsOf(sandbox, owner).flatMap(({ doc }) => doc.purposes)
  const twice = requested.filter((purpose) => takenPurposes.includes(purpose))
  if (twice.length === 0) return
  const detail = `another linked bank account already serves ${twice.join(', ')}`
  throw unprocessable('There may be one linked bank account for each purpose.', [{ reference: 'purposes', detail }])
}

/** `POST /v1/linked_bank_accounts` */
export const createLinkedBankAccount = objectOperation({
  id: 'linked_bank_accounts.create',
  method: 'POST',
  path: '/v1/linked_bank_accounts',
  summary: 'Link a bank account to an account, or to the platform',
  account: 'forbidden',
  status: 201,
  input: createBody,
  output: linkedBankAccount,
  handle: ({ sandbox, input, now, effect }) => {
    const owner = ownerRequested(sandbox, input)
    const purposes = [...(input.purposes ?? linkedBankAccountPurposes)]
    requireFreePurposes(sandbox, owner.n, purposes)
    const newBankAccount: LinkedBankAccount = {
      id: newId(now),
      ...{ account_id: owner.id, platform_id: owner.id === null ? platformId : null },
      ...{ status: 'created', status_detail: detailOf('unverified') },
      bank_account: maskedBankAccount(input.bank_account),
      ...{ purposes, description: input.description ?? null, metadata: input.metadata ?? {} },
      ...{ created_at: iso(now), updated_at: iso(now) },
    }
    sandbox.linkedBankAccounts.insert(owner.n, newBankAccount, { account_number: input.bank_account.account_number })
    sandbox.events.created({ resource: 'linked_bank_account', accountId: ownerOf(newBankAccount), data: newBankAccount }, now)
    pointSettings(sandbox, owner.n, now)
    effect({ target_id: newBankAccount.id, account_id: ownerOf(newBankAccount), from: '', to: newBankAccount.status })
    return newBankAccount
  },
})
