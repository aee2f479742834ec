import { initialed, type NamedCustomer, partlyLike, unlike } from '@/sandbox/paykeys/holder-names'
import { type PaykeyState, paykeyCauses, paykeyStates } from '@/sandbox/paykeys/paykey-causes'
import type { Paykey, PaykeyConfig, PaykeySource } from '@/sandbox/paykeys/paykey-schema'
import type { Random } from '@/sandbox/store/random'

export type PaykeyStory = {
  source: PaykeySource
  state: PaykeyState
  /** What its verification was told to end in; `standard` judged by the names. */
  verdict: PaykeyConfig['sandbox_outcome']
  /** Who an aggregator says holds the account. */
  names: string[]
  balance: Paykey['balance']['status']
  /** The index of the earlier paykey whose bank account it has too, or undefined. */
  sharesWith: number | undefined
  /** Days until it expires, negative for one that has; null for the usual year. */
  expiresIn: number | null
  unblocked: boolean
  metadata: Record<string, string>
}

/** The first paykeys are in states somebody has to look at, up to the index given; all others are active. */
const shares = [
  ['review', 20],
  ['blocked', 28],
  ['closed', 32],
  ['disputed', 35],
  ['inactive', 45],
  ['rejected', 50],
] as const

/** Blocked by R29 again after their one unblock. */
const blockedTwice = [25, 26, 27]

const unblocked: PaykeyState = {
  status: 'active',
  cause: { ...paykeyCauses.unblock, message: 'The customer has put our originator id on the list of their bank' },
}

/** Active ones whose unblock was used. */
const unblockedOnce = [70, 71]

/** One bank account with several customers: blocked together, or in review here and active there. */
const shared: Readonly<Record<number, number>> = { 21: 20, 26: 25, 29: 28, 105: 5, 109: 9, 110: 9, 201: 200, 202: 200 }

/** The last forty are second links of bank accounts that are linked already. */
const secondLinks = 560

/** Days until the paykeys from index 60 on expire. */
const expiring = [-4, -2, -1, -1, 1, 3, 6, 9, 14, 21]

/** Names that a person has to compare: a relative's, a stranger's, two holders, and an initial. */
function doubtfulNames(index: number, customer: NamedCustomer): string[] {
  const two = [partlyLike(customer), unlike(customer)]
  return [[partlyLike(customer)], [unlike(customer)], two, [initialed(customer)]][index % 4] ?? two
}

function stateOf(index: number): PaykeyState {
  if (unblockedOnce.includes(index)) return unblocked
  return paykeyStates[shares.find(([, end]) => index < end)?.[0] ?? 'active']
}

function verdictOf({ status }: PaykeyState, source: PaykeySource): PaykeyStory['verdict'] {
  if (status === 'rejected') return 'rejected'
  return status === 'review' && source === 'bank_account' ? 'review' : 'standard'
}

function namesOf(index: number, { status }: PaykeyState, customer: NamedCustomer): string[] {
  if (status === 'review') return doubtfulNames(index, customer)
  return [status === 'rejected' ? unlike(customer) : customer.name]
}

/** Most reviews are about names, which only an aggregator tells. */
function sourceOf(random: Random, index: number, { status }: PaykeyState): PaykeySource {
  const picked = random.pick(['bank_account', 'bank_account', 'plaid', 'mx', 'quiltt'] as const)
  if (status !== 'review') return picked
  return index % 5 === 4 ? 'bank_account' : ((['plaid', 'mx', 'quiltt'] as const)[index % 3] ?? 'plaid')
}

export function storyOf(random: Random, index: number, customer: NamedCustomer): PaykeyStory {
  const state = stateOf(index)
  const source = sourceOf(random, index, state)
  return {
    ...{ state, source, verdict: verdictOf(state, source), names: namesOf(index, state, customer) },
    balance: index % 37 === 36 ? 'failed' : index % 31 === 30 ? 'pending' : 'completed',
    sharesWith: index >= secondLinks ? index - 400 : shared[index],
    expiresIn: expiring[index - 60] ?? null,
    unblocked: blockedTwice.includes(index) || unblockedOnce.includes(index),
    metadata: random.chance(0.1) ? { linked_by: random.pick(['portal', 'phone', 'branch']) } : {},
  }
}
