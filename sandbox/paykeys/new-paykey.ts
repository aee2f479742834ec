import type { Customer } from '@/sandbox/customers/customer-schema'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import { findBankName } from './bank-names'
import { type RequestedLink, requireLinkable, requireOpenBankAccount } from './linking-rules'
import { announcePaykey } from './move-paykey'
import { type PaykeyState, paykeyCauses, paykeyStates } from './paykey-causes'
import {
  maskAccountNumber,
  maskToken,
  newToken,
  type Paykey,
  type PaykeyConfig,
  type PaykeySource,
  type Verification,
} from './paykey-schema'
import type { PaykeyEntry, PaykeySecret } from './paykey-store'
import { balanceTimer } from './read-balance'
import { hasHolderNames, makeVerification, nameThresholds, scoreNames, toVerificationMove, verificationTimer } from './verify-paykey'

const dayInMs = 86_400_000

/** Lifetime of a paykey in milliseconds. The provider documents none, so one year is the sandbox's own choice. */
export const paykeyLifetime = 365 * dayInMs

export type BankDetails = { routing_number: string; account_number: string; account_type: Paykey['bank_data']['account_type'] }

/** Input for `buildPaykey`, which derives the masked and all other fields. `at`, `changed` and `expires` are in milliseconds. */
type PaykeyParts = Pick<Paykey, 'id' | 'source' | 'config' | 'customer_id' | 'metadata' | 'balance' | 'external_id'> &
  PaykeyState & {
    token: string
    bank: BankDetails
    at: number
    changed: number
    expires: number
    unblocked?: boolean
  }

export function buildPaykey(parts: PaykeyParts): { doc: Paykey; secret: PaykeySecret } {
  const { bank, token, at, changed, unblocked = false } = parts
  const institution = findBankName(bank.routing_number)
  const isBlocked = parts.status === 'blocked'
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
    unblock_eligible: isBlocked ? parts.cause.code === 'R29' && !unblocked : null,
    metadata: parts.metadata,
    balance: parts.balance,
  }
  return { doc, secret: { token, account_number: bank.account_number, unblocked } }
}

export function storePaykey(
  sandbox: Sandbox,
  account: number,
  { doc, secret }: { doc: Paykey; secret: PaykeySecret },
  verification: Verification,
): PaykeyEntry {
  sandbox.paykeys.evidence.insert(account, { id: doc.id, verification }, null)
  return sandbox.paykeys.insert(account, doc, secret)
}

export type NamedCustomer = Pick<Customer, 'name' | 'type'>

const relatives = ['Marisol', 'Tobias', 'Ifeoma', 'Henrik', 'Saoirse', 'Farid', 'Lucía', 'Takumi']
const companies = ['Holdings', 'Ventures LLC', 'Group Inc.', 'Trust']
const strangers = ['Quentin Brzozowski', 'Yvonne Fjeldstad', 'Bukola Uzochukwu', 'Jiří Vlk', 'Pham Thi Xuan', 'Gwyn Pryce', 'Ömer Tunç']

function isPartial(name: string, other: string): boolean {
  const score = scoreNames(name, other)
  return score >= nameThresholds.partial && score <= nameThresholds.close
}

/** Returns the list rotated by an offset that depends on the name, so that different customers start at different entries. */
function rotateByName(list: readonly string[], name: string): string[] {
  const start = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}

/**
 * Returns a name partly similar to the customer's: a relative for a person, a company with the same first word for a business. If the
 * scores of all are too high or too low, returns the first half of the name.
 */
export function makeSimilarName({ name, type }: NamedCustomer): string {
  const words = name.trim().split(/\s+/)
  const [first = name, last = name] = [words[0], words.at(-1)]
  const similar =
    type === 'business'
      ? rotateByName(companies, name).map((company) => `${first} ${company}`)
      : rotateByName(relatives, name).map((relative) => `${relative} ${last}`)
  const letters = [...name]
  return similar.find((one) => isPartial(one, name)) ?? letters.slice(0, Math.ceil(letters.length / 2)).join('')
}

export function pickDissimilarName({ name }: NamedCustomer): string {
  const [first = '', ...others] = rotateByName(strangers, name)
  return others.reduce((best, other) => (scoreNames(other, name) < scoreNames(best, name) ? other : best), first)
}

export function abbreviateName(customer: NamedCustomer): string {
  const [first = '', ...rest] = customer.name.trim().split(/\s+/)
  const short = [[...first][0] ?? '', ...rest].join(' ')
  return isPartial(short, customer.name) ? short : makeSimilarName(customer)
}

/** Returns the names of the account holders that an aggregator would report, such that name matching leads to the outcome. */
export function makeHolderNames(customer: NamedCustomer, outcome: PaykeyConfig['sandbox_outcome']): string[] {
  if (outcome === 'review') return [makeSimilarName(customer)]
  return [outcome === 'rejected' ? pickDissimilarName(customer) : customer.name]
}

/**
 * Input for a new paykey. `names_on_account` are the account holders according to an aggregator. Without them, they are chosen to match the
 * requested outcome.
 */
type PaykeyDraft = RequestedLink & {
  source: PaykeySource
  bank: BankDetails
  names_on_account?: readonly string[]
  metadata: Record<string, string>
}

function getInitialState(verification: Verification, isBackground: boolean): PaykeyState {
  if (isBackground) return paykeyStates.pending
  const { name, cause } = toVerificationMove(verification)
  const state = { accept: paykeyStates.active, review: paykeyStates.review, reject: paykeyStates.rejected }[verification.decision]
  return { ...state, cause: { ...paykeyCauses[name], ...cause } }
}

/**
 * Links a bank account to a customer: creates the paykey, its verification and its event. With `inline` the paykey has its result at once.
 * With `background` it is pending until a timer ends the verification. Throws the errors of `requireLinkable` and `requireOpenBankAccount`
 * before any write. Must run in a transaction. The caller writes the journal row.
 */
export function newPaykey(sandbox: Sandbox, draft: PaykeyDraft, now: number): PaykeyEntry {
  const customer = requireLinkable(sandbox, draft)
  requireOpenBankAccount(sandbox, draft.bank)
  const { source, bank, config } = draft
  const names = hasHolderNames(source) ? (draft.names_on_account ?? makeHolderNames(customer, config.sandbox_outcome)) : []
  const subject = { source, routing_number: bank.routing_number, names_on_account: names, customer_name: customer.name }
  const verification = makeVerification(subject, { id: newId(now), created: now, updated: now, config })
  const isBackground = config.processing_method === 'background'
  const builtPaykey = buildPaykey({
    ...{ id: newId(now), token: newToken(), customer_id: customer.id, source, bank, config },
    ...getInitialState(verification, isBackground),
    ...{ metadata: draft.metadata, external_id: draft.external_id },
    balance: { status: 'pending', account_balance: null, updated_at: null },
    ...{ at: now, changed: now, expires: now + paykeyLifetime },
  })
  const entry = storePaykey(sandbox, draft.account, builtPaykey, verification)
  if (isBackground) sandbox.timers.start(verificationTimer, entry.n, now)
  if (hasHolderNames(source)) sandbox.timers.start(balanceTimer, entry.n, now)
  announcePaykey(sandbox, entry, now, 'created')
  return entry
}
