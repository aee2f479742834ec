import { announcePaykey } from '@/sandbox/paykeys/announce-paykey'
import { buildPaykey, paykeyLifetime, storePaykey } from '@/sandbox/paykeys/build-paykey'
import { holderNames } from '@/sandbox/paykeys/holder-names'
import { makeVerification } from '@/sandbox/paykeys/make-verification'
import { paykeyStates } from '@/sandbox/paykeys/paykey-causes'
import type { PaykeyConfig, PaykeyStatus } from '@/sandbox/paykeys/paykey-schema'
import type { PaykeyEntry } from '@/sandbox/paykeys/paykey-store'
import { newToken } from '@/sandbox/paykeys/paykey-token'
import type { Sandbox } from '@/sandbox/sandbox'
import { banks } from '@/sandbox/seed/names'
import { iso } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/new-id'
import { Random } from '@/sandbox/store/random'

/**
 * A paykey for a test: its status and the cents on its account. A null balance means that the bank returned none; undefined gives a random
 * one.
 */
export type RequestedPaykey = { status: PaykeyStatus; balance?: number | null | undefined }

/** Outcome whose evidence matches the requested status. */
const outcomes: Partial<Readonly<Record<PaykeyStatus, PaykeyConfig['sandbox_outcome']>>> = { review: 'review', rejected: 'rejected' }

/**
 * Creates a paykey of a customer in any status, as if linked by an aggregator. It has its own bank account, so that blocking it affects no
 * other paykey. Skips the checks of a request. Must run in a transaction.
 */
export function makePaykey(sandbox: Sandbox, owner: { n: number; account: number }, requested: RequestedPaykey, now: number): PaykeyEntry {
  const customer = sandbox.customers.at(owner.n)?.doc
  if (!customer) throw new RangeError(`no customer ${owner.n}`)
  const id = newId(now)
  const random = new Random(Number.parseInt(id.slice(-8), 16))
  const bank = { routing_number: random.pick(banks).routing, account_number: random.digits(12), account_type: 'checking' } as const
  const account_balance = requested.balance === undefined ? random.int(1_000, 9_000_000) : requested.balance
  const config = { sandbox_outcome: 'standard', processing_method: 'inline' } as const
  const outcome = outcomes[requested.status] ?? 'standard'
  const names_on_account = holderNames(customer, outcome)
  const subject = { source: 'plaid', routing_number: bank.routing_number, names_on_account, customer_name: customer.name } as const
  const frame = { id: newId(now), created: now, updated: now, config: { ...config, sandbox_outcome: outcome } }
  const built = buildPaykey({
    ...{ id, token: newToken(), customer_id: customer.id, source: 'plaid', bank, config, metadata: {}, external_id: `made-${id}` },
    ...paykeyStates[requested.status],
    balance: { status: account_balance === null ? 'failed' : 'completed', account_balance, updated_at: iso(now) },
    ...{ at: now, changed: now, expires: now + paykeyLifetime },
  })
  const entry = storePaykey(sandbox, owner.account, built, makeVerification(subject, frame))
  announcePaykey(sandbox, entry, now, 'created')
  return entry
}
