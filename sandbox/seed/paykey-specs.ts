import {
  abbreviateName,
  makeSimilarName,
  type NamedCustomer,
  pickDissimilarName,
} from '@/sandbox/paykeys/new-paykey'
import { causeByPaykeyMove, type PaykeyState, paykeyStates } from '@/sandbox/paykeys/paykey-causes'
import type { Paykey, PaykeyConfig, PaykeySource } from '@/sandbox/paykeys/paykey-schema'
import type { Random } from '@/sandbox/store/random'

export type SeededPaykeySpec = {
  source: PaykeySource
  state: PaykeyState
  /** Outcome of the verification. With `standard`, the comparison of the names decides. */
  verdict: PaykeyConfig['sandbox_outcome']
  names: string[]
  balance: Paykey['balance']['status']
  /** Index of an earlier paykey with the same bank account. */
  sharesWith: number | undefined
  /** Days until expiry, negative if already expired. Null means the default of one year. */
  expiresIn: number | null
  unblocked: boolean
  metadata: Record<string, string>
}

/**
 * For each state, the index after its last paykey: paykeys 0 to 19 are in review, 20 to 27 are
 * blocked, and so on. Paykeys from 50 on are active.
 */
const endIndexesByPaykeyState = [
  ['review', 20],
  ['blocked', 28],
  ['closed', 32],
  ['disputed', 35],
  ['inactive', 45],
  ['rejected', 50],
] as const

/**
 * Indexes of paykeys that R29 blocked again after an unblock. They cannot be unblocked a second
 * time.
 */
const twiceBlockedPaykeyIndexes = [25, 26, 27]

const unblockedPaykeyState: PaykeyState = {
  status: 'active',
  cause: {
    ...causeByPaykeyMove.unblock,
    message: 'The customer has put our originator id on the list of their bank',
  },
}

const unblockedPaykeyIndexes = [70, 71]

/**
 * Each key is the index of a paykey that has the bank account of the paykey on the right. An active
 * paykey may share the account of one in review, but never of a blocked one.
 */
const bankAccountSourceIndexes: Readonly<Record<number, number>> = {
  21: 20,
  26: 25,
  29: 28,
  105: 5,
  109: 9,
  110: 9,
  201: 200,
  202: 200,
}

/** Each paykey from this index on has the bank account of the paykey whose index is 400 lower. */
const sharedBankAccountsStartIndex = 560

/** Days until expiry of the paykeys with index 60 to 69. */
const seededExpiryDays = [-4, -2, -1, -1, 1, 3, 6, 9, 14, 21]

function makeAmbiguousHolderNames(index: number, customer: NamedCustomer): string[] {
  const similarAndDissimilarNames = [makeSimilarName(customer), pickDissimilarName(customer)]
  return (
    [
      [makeSimilarName(customer)],
      [pickDissimilarName(customer)],
      similarAndDissimilarNames,
      [abbreviateName(customer)],
    ][index % 4] ?? similarAndDissimilarNames
  )
}

function getSeededPaykeyState(index: number): PaykeyState {
  if (unblockedPaykeyIndexes.includes(index)) return unblockedPaykeyState
  return paykeyStates[endIndexesByPaykeyState.find(([, end]) => index < end)?.[0] ?? 'active']
}

function toVerificationOutcome(
  { status }: PaykeyState,
  source: PaykeySource,
): SeededPaykeySpec['verdict'] {
  if (status === 'rejected') return 'rejected'
  return status === 'review' && source === 'bank_account' ? 'review' : 'standard'
}

function makeHolderNames(
  index: number,
  { status }: PaykeyState,
  customer: NamedCustomer,
): string[] {
  if (status === 'review') return makeAmbiguousHolderNames(index, customer)
  return [status === 'rejected' ? pickDissimilarName(customer) : customer.name]
}

/** Most reviews compare names, which only aggregators (Plaid, MX, Quiltt) return. */
function pickPaykeySource(random: Random, index: number, { status }: PaykeyState): PaykeySource {
  const randomPaykeySource = random.pick([
    'bank_account',
    'bank_account',
    'plaid',
    'mx',
    'quiltt',
  ] as const)
  if (status !== 'review') return randomPaykeySource
  return index % 5 === 4
    ? 'bank_account'
    : ((['plaid', 'mx', 'quiltt'] as const)[index % 3] ?? 'plaid')
}

export function makePaykeySpec(
  random: Random,
  index: number,
  customer: NamedCustomer,
): SeededPaykeySpec {
  const state = getSeededPaykeyState(index)
  const source = pickPaykeySource(random, index, state)
  return {
    ...{
      state,
      source,
      verdict: toVerificationOutcome(state, source),
      names: makeHolderNames(index, state, customer),
    },
    balance: index % 37 === 36 ? 'failed' : index % 31 === 30 ? 'pending' : 'completed',
    sharesWith:
      index >= sharedBankAccountsStartIndex ? index - 400 : bankAccountSourceIndexes[index],
    expiresIn: seededExpiryDays[index - 60] ?? null,
    unblocked: twiceBlockedPaykeyIndexes.includes(index) || unblockedPaykeyIndexes.includes(index),
    metadata: random.chance(0.1) ? { linked_by: random.pick(['portal', 'phone', 'branch']) } : {},
  }
}
