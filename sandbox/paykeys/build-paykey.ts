import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { bankNameOf } from './bank-names'
import type { PaykeyState } from './paykey-causes'
import type { Paykey, Verification } from './paykey-schema'
import type { PaykeyEntry, PaykeySecret } from './paykey-store'
import { maskAccountNumber, maskToken } from './paykey-token'

const dayInMs = 86_400_000

/** Lifetime of a paykey, in milliseconds. The provider documents none; one year is the sandbox's choice. */
export const paykeyLifetime = 365 * dayInMs

export type BankDetails = { routing_number: string; account_number: string; account_type: Paykey['bank_data']['account_type'] }

/** Input for a paykey; its masked and derived fields follow from it. `at`, `changed` and `expires` are milliseconds. */
export type PaykeyParts = Pick<Paykey, 'id' | 'source' | 'config' | 'customer_id' | 'metadata' | 'balance' | 'external_id'> &
  PaykeyState & {
    token: string
    bank: BankDetails
    at: number
    changed: number
    expires: number
    /** True if the paykey's only unblock was used. */
    unblocked?: boolean
  }

/** Returns a paykey as stored: the masked document, and the secrets that ordinary reads never return. */
export function buildPaykey(parts: PaykeyParts): { doc: Paykey; secret: PaykeySecret } {
  const { bank, token, at, changed, unblocked = false } = parts
  const institution = bankNameOf(bank.routing_number)
  const blocked = parts.status === 'blocked'
  const doc: Paykey = {
    id: parts.id,
    label: `${institution ?? 'BANK'} - *${bank.account_number.slice(-4)}`,
    ...{ source: parts.source, status: parts.status, created_at: iso(at), updated_at: iso(changed) },
    paykey: maskToken(token),
    config: parts.config,
    customer_id: parts.customer_id,
    institution_name: institution,
    status_details: { ...parts.cause, changed_at: iso(changed) },
    expires_at: iso(parts.expires),
    bank_data: { ...bank, account_number: maskAccountNumber(bank.account_number) },
    external_id: parts.external_id,
    unblock_eligible: blocked ? parts.cause.code === 'R29' && !unblocked : null,
    metadata: parts.metadata,
    balance: parts.balance,
  }
  return { doc, secret: { token, account_number: bank.account_number, unblocked } }
}

/** Inserts a built paykey and its verification. The caller has made all checks; must run in a transaction. */
export function storePaykey(
  sandbox: Sandbox,
  account: number,
  { doc, secret }: { doc: Paykey; secret: PaykeySecret },
  verification: Verification,
): PaykeyEntry {
  sandbox.paykeys.evidence.insert(account, { id: doc.id, verification }, null)
  return sandbox.paykeys.insert(account, doc, secret)
}
