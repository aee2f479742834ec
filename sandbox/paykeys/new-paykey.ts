import type { Sandbox } from '@/sandbox/sandbox'
import { newId } from '@/sandbox/store/new-id'
import { announcePaykey } from './announce-paykey'
import { type BankDetails, buildPaykey, paykeyLifetime, storePaykey } from './build-paykey'
import { holderNames } from './holder-names'
import { type RequestedLink, requireLinkable, requireOpenBankAccount } from './linking-rules'
import { knowsHolder, makeVerification } from './make-verification'
import { type PaykeyState, paykeyCauses, paykeyStates } from './paykey-causes'
import type { PaykeySource, Verification } from './paykey-schema'
import type { PaykeyEntry } from './paykey-store'
import { newToken } from './paykey-token'
import { planBalance } from './read-balance'
import { moveAfter, planVerification } from './verify-paykey'

/** Input for a link. `names_on_account` are the holders according to an aggregator; by default they match the requested outcome. */
export type PaykeyDraft = RequestedLink & {
  source: PaykeySource
  bank: BankDetails
  names_on_account?: readonly string[]
  metadata: Record<string, string>
}

function startOf(verification: Verification, background: boolean): PaykeyState {
  if (background) return paykeyStates.pending
  const { name, cause } = moveAfter(verification)
  const state = { accept: paykeyStates.active, review: paykeyStates.review, reject: paykeyStates.rejected }[verification.decision]
  return { ...state, cause: { ...paykeyCauses[name], ...cause } }
}

/**
 * Links a bank account to a customer: creates the paykey, its verification and its event. Inline it is decided at once; in the background
 * it is pending until the clock decides. Throws the errors of `requireLinkable` and `requireOpenBankAccount` before any write. Must run in
 * a transaction. The caller writes the journal row.
 */
export function newPaykey(sandbox: Sandbox, draft: PaykeyDraft, now: number): PaykeyEntry {
  const customer = requireLinkable(sandbox, draft)
  requireOpenBankAccount(sandbox, draft.bank)
  const { source, bank, config } = draft
  const names = knowsHolder(source) ? (draft.names_on_account ?? holderNames(customer, config.sandbox_outcome)) : []
  const subject = { source, routing_number: bank.routing_number, names_on_account: names, customer_name: customer.name }
  const verification = makeVerification(subject, { id: newId(now), created: now, updated: now, config })
  const background = config.processing_method === 'background'
  const built = buildPaykey({
    ...{ id: newId(now), token: newToken(), customer_id: customer.id, source, bank, config },
    ...startOf(verification, background),
    ...{ metadata: draft.metadata, external_id: draft.external_id },
    balance: { status: 'pending', account_balance: null, updated_at: null },
    ...{ at: now, changed: now, expires: now + paykeyLifetime },
  })
  const entry = storePaykey(sandbox, draft.account, built, verification)
  if (background) planVerification(sandbox, entry.n, now)
  if (knowsHolder(source)) planBalance(sandbox, entry.n, now)
  announcePaykey(sandbox, entry, now, 'created')
  return entry
}
