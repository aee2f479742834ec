import type { Customer } from '@/sandbox/customers/customer-schema'
import type { Sandbox } from '@/sandbox/sandbox'
import { toIsoTime } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import { findBankName } from './bank-names'
import { type RequestedLink, requireLinkable, requireOpenBankAccount } from './linking-rules'
import { recordPaykeyEvent } from './move-paykey'
import { causeByPaykeyMove, type PaykeyState, paykeyStates } from './paykey-causes'
import {
  makePaykeyToken,
  maskAccountNumber,
  maskToken,
  type Paykey,
  type PaykeyConfig,
  type PaykeySource,
  type Verification,
} from './paykey-schema'
import type { PaykeyEntry, PaykeyHiddenFields } from './paykey-store'
import { balanceTimer } from './read-balance'
import {
  hasHolderNames,
  makeVerification,
  nameSimilarityThresholds,
  scoreNameSimilarity,
  toVerificationMove,
  verificationTimer,
} from './verify-paykey'

const dayInMs = 86_400_000

/** The provider documents no lifetime, so one year is the sandbox's own choice. */
export const paykeyLifetimeMs = 365 * dayInMs

export type BankDetails = {
  routing_number: string
  account_number: string
  account_type: Paykey['bank_data']['account_type']
}

/** `at` (creation), `changed` and `expires` are in milliseconds since 1970. */
type PaykeyBuildInput = Pick<
  Paykey,
  'id' | 'source' | 'config' | 'customer_id' | 'metadata' | 'balance' | 'external_id'
> &
  PaykeyState & {
    token: string
    bank: BankDetails
    at: number
    changed: number
    expires: number
    unblocked?: boolean
  }

export function buildPaykey(parts: PaykeyBuildInput): { doc: Paykey; secret: PaykeyHiddenFields } {
  const { bank, token, at, changed, unblocked = false } = parts
  const institution = findBankName(bank.routing_number)
  const isBlocked = parts.status === 'blocked'
  const doc: Paykey = {
    id: parts.id,
    label: `${institution ?? 'BANK'} - *${bank.account_number.slice(-4)}`,
    ...{
      source: parts.source,
      status: parts.status,
      created_at: toIsoTime(at),
      updated_at: toIsoTime(changed),
    },
    paykey: maskToken(token),
    config: parts.config,
    customer_id: parts.customer_id,
    institution_name: institution,
    status_details: { ...parts.cause, changed_at: toIsoTime(changed) },
    expires_at: toIsoTime(parts.expires),
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
  owner: number | null,
  { doc, secret }: { doc: Paykey; secret: PaykeyHiddenFields },
  verification: Verification,
): PaykeyEntry {
  sandbox.paykeys.evidence.insert(owner, { id: doc.id, verification }, null)
  return sandbox.paykeys.insert(owner, doc, secret)
}

export type NamedCustomer = Pick<Customer, 'name' | 'type'>

const relativeFirstNames = [
  'Marisol',
  'Tobias',
  'Ifeoma',
  'Henrik',
  'Saoirse',
  'Farid',
  'Lucía',
  'Takumi',
]
const companySuffixes = ['Holdings', 'Ventures LLC', 'Group Inc.', 'Trust']
const strangerNames = [
  'Quentin Brzozowski',
  'Yvonne Fjeldstad',
  'Bukola Uzochukwu',
  'Jiří Vlk',
  'Pham Thi Xuan',
  'Gwyn Pryce',
  'Ömer Tunç',
]

function isPartialNameMatch(name: string, otherName: string): boolean {
  const score = scoreNameSimilarity(name, otherName)
  return score >= nameSimilarityThresholds.partial && score <= nameSimilarityThresholds.close
}

/**
 * Rotates a list by a number of places that depends only on the name. Thus different customers
 * mostly get different invented names, and the same customer always gets the same ones.
 */
function rotateByName(list: readonly string[], name: string): string[] {
  const startIndex =
    [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % list.length
  return [...list.slice(startIndex), ...list.slice(0, startIndex)]
}

/**
 * Returns a name that resembles the customer's only in part, which leads to a review: the name of a
 * relative or, for a business, of a similar company. If no such name fits, returns the first half
 * of the customer's name.
 */
export function makeSimilarName({ name, type }: NamedCustomer): string {
  const nameWords = name.trim().split(/\s+/)
  const [first = name, last = name] = [nameWords[0], nameWords.at(-1)]
  const similarNames =
    type === 'business'
      ? rotateByName(companySuffixes, name).map((company) => `${first} ${company}`)
      : rotateByName(relativeFirstNames, name).map((relative) => `${relative} ${last}`)
  const nameLetters = [...name]
  return (
    similarNames.find((one) => isPartialNameMatch(one, name)) ??
    nameLetters.slice(0, Math.ceil(nameLetters.length / 2)).join('')
  )
}

export function pickDissimilarName({ name }: NamedCustomer): string {
  const [first = '', ...others] = rotateByName(strangerNames, name)
  return others.reduce(
    (best, other) =>
      scoreNameSimilarity(other, name) < scoreNameSimilarity(best, name) ? other : best,
    first,
  )
}

export function abbreviateName(customer: NamedCustomer): string {
  const [first = '', ...rest] = customer.name.trim().split(/\s+/)
  const shortName = [[...first][0] ?? '', ...rest].join(' ')
  return isPartialNameMatch(shortName, customer.name) ? shortName : makeSimilarName(customer)
}

/** Returns invented names for which name matching leads to `outcome`. */
export function makeHolderNames(
  customer: NamedCustomer,
  outcome: PaykeyConfig['sandbox_outcome'],
): string[] {
  if (outcome === 'review') return [makeSimilarName(customer)]
  return [outcome === 'rejected' ? pickDissimilarName(customer) : customer.name]
}

/**
 * Input for a new paykey. `names_on_account` are the account holders that an aggregator reported.
 * If missing, the sandbox invents names that lead to the requested outcome.
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
  const decidedState = {
    accept: paykeyStates.active,
    review: paykeyStates.review,
    reject: paykeyStates.rejected,
  }[verification.decision]
  return { ...decidedState, cause: { ...causeByPaykeyMove[name], ...cause } }
}

/**
 * Creates a paykey and verifies its bank account. With the processing method `background`, the
 * paykey is pending until a timer ends the verification. Throws the errors of `requireLinkable` and
 * `requireOpenBankAccount` before any write. Must run in a transaction. The caller writes the
 * journal row.
 */
export function createPaykey(sandbox: Sandbox, draft: PaykeyDraft, now: number): PaykeyEntry {
  const customer = requireLinkable(sandbox, draft)
  requireOpenBankAccount(sandbox, draft.bank)
  const { source, bank, config } = draft
  const holderNames = hasHolderNames(source)
    ? (draft.names_on_account ?? makeHolderNames(customer, config.sandbox_outcome))
    : []
  const verificationSubject = {
    source,
    routing_number: bank.routing_number,
    names_on_account: holderNames,
    customer_name: customer.name,
  }
  const verification = makeVerification(verificationSubject, {
    id: newId(now),
    created: now,
    updated: now,
    config,
  })
  const isBackground = config.processing_method === 'background'
  const builtPaykey = buildPaykey({
    ...{ id: newId(now), token: makePaykeyToken(), customer_id: customer.id, source, bank, config },
    ...getInitialState(verification, isBackground),
    ...{ metadata: draft.metadata, external_id: draft.external_id },
    balance: { status: 'pending', account_balance: null, updated_at: null },
    ...{ at: now, changed: now, expires: now + paykeyLifetimeMs },
  })
  const paykeyEntry = storePaykey(sandbox, draft.owner, builtPaykey, verification)
  if (isBackground) sandbox.timers.start(verificationTimer, paykeyEntry.n, now)
  if (hasHolderNames(source)) sandbox.timers.start(balanceTimer, paykeyEntry.n, now)
  recordPaykeyEvent(sandbox, paykeyEntry, now, 'created')
  return paykeyEntry
}
