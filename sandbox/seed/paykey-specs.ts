import { abbreviateName, makeSimilarName, type NamedCustomer, pickDissimilarName } from '@/sandbox/paykeys/new-paykey'
import { type PaykeyState, paykeyCauses, paykeyStates } from '@/sandbox/paykeys/paykey-causes'
import type { Paykey, PaykeyConfig, PaykeySource } from '@/sandbox/paykeys/paykey-schema'
import type { Random } from '@/sandbox/store/random'

export type SeededPaykeySpec = {
  source: PaykeySource
  state: PaykeyState
  /** Outcome that the verification was requested with. With `standard` the names decide. */
  verdict: PaykeyConfig['sandbox_outcome']
  names: string[]
  balance: Paykey['balance']['status']
  /** Index of an earlier paykey with the same bank account; undefined if there is none. */
  sharesWith: number | undefined
  /** Days until expiry, negative if already expired. Null means the default of one year. */
  expiresIn: number | null
  unblocked: boolean
  metadata: Record<string, string>
}

/** For each state, the index after its last paykey: 0 to 19 are in review, 20 to 27 blocked, and so on. From 50 on, paykeys are active. */
const lastIndexByState = [
  ['review', 20],
  ['blocked', 28],
  ['closed', 32],
  ['disputed', 35],
  ['inactive', 45],
  ['rejected', 50],
] as const

/** Indexes of paykeys that R29 blocked again after their only unblock. */
const blockedTwice = [25, 26, 27]

const unblockedState: PaykeyState = {
  status: 'active',
  cause: { ...paykeyCauses.unblock, message: 'The customer has put our originator id on the list of their bank' },
}

/** Indexes of active paykeys that were unblocked. */
const unblockedOnce = [70, 71]

/**
 * Bank accounts that several customers share: the paykey with the key's index has the bank account of the paykey with the value's index.
 * Some are all blocked; others are in review for one customer and active for another.
 */
const shared: Readonly<Record<number, number>> = { 21: 20, 26: 25, 29: 28, 105: 5, 109: 9, 110: 9, 201: 200, 202: 200 }

/** From this index on, each paykey has the bank account of the paykey 400 before it. */
const secondLinks = 560

/** Days until expiry of the paykeys with index 60 to 69. */
const expiring = [-4, -2, -1, -1, 1, 3, 6, 9, 14, 21]

function doubtfulNames(index: number, customer: NamedCustomer): string[] {
  const namePair = [makeSimilarName(customer), pickDissimilarName(customer)]
  return [[makeSimilarName(customer)], [pickDissimilarName(customer)], namePair, [abbreviateName(customer)]][index % 4] ?? namePair
}

function paykeyStateAt(index: number): PaykeyState {
  if (unblockedOnce.includes(index)) return unblockedState
  return paykeyStates[lastIndexByState.find(([, end]) => index < end)?.[0] ?? 'active']
}

function toRequestedOutcome({ status }: PaykeyState, source: PaykeySource): SeededPaykeySpec['verdict'] {
  if (status === 'rejected') return 'rejected'
  return status === 'review' && source === 'bank_account' ? 'review' : 'standard'
}

function makeHolderNames(index: number, { status }: PaykeyState, customer: NamedCustomer): string[] {
  if (status === 'review') return doubtfulNames(index, customer)
  return [status === 'rejected' ? pickDissimilarName(customer) : customer.name]
}

/**
 * Returns the source of a paykey. Most paykeys in review come from an aggregator: most reviews are about names, which only aggregators
 * return.
 */
function pickSource(random: Random, index: number, { status }: PaykeyState): PaykeySource {
  const picked = random.pick(['bank_account', 'bank_account', 'plaid', 'mx', 'quiltt'] as const)
  if (status !== 'review') return picked
  return index % 5 === 4 ? 'bank_account' : ((['plaid', 'mx', 'quiltt'] as const)[index % 3] ?? 'plaid')
}

export function makePaykeySpec(random: Random, index: number, customer: NamedCustomer): SeededPaykeySpec {
  const state = paykeyStateAt(index)
  const source = pickSource(random, index, state)
  return {
    ...{ state, source, verdict: toRequestedOutcome(state, source), names: makeHolderNames(index, state, customer) },
    balance: index % 37 === 36 ? 'failed' : index % 31 === 30 ? 'pending' : 'completed',
    sharesWith: index >= secondLinks ? index - 400 : shared[index],
    expiresIn: expiring[index - 60] ?? null,
    unblocked: blockedTwice.includes(index) || unblockedOnce.includes(index),
    metadata: random.chance(0.1) ? { linked_by: random.pick(['portal', 'phone', 'branch']) } : {},
  }
}
