import { initialed, type NamedCustomer, partlyLike, unlike } from '@/sandbox/paykeys/new-paykey'
import { type PaykeyState, paykeyCauses, paykeyStates } from '@/sandbox/paykeys/paykey-causes'
import type { Paykey, PaykeyConfig, PaykeySource } from '@/sandbox/paykeys/paykey-schema'
import type { Random } from '@/sandbox/store/random'

export type PaykeyStory = {
  source: PaykeySource
  state: PaykeyState
  /** Requested outcome of its verification; `standard` judges the names. */
  verdict: PaykeyConfig['sandbox_outcome']
  names: string[]
  balance: Paykey['balance']['status']
  /** Index of the earlier paykey on the same bank account, or undefined. */
  sharesWith: number | undefined
  /** Days until it expires, negative if it has expired; null for the default of one year. */
  expiresIn: number | null
  unblocked: boolean
  metadata: Record<string, string>
}

/** End index (exclusive) of each state that needs attention; all later paykeys are active. */
const shares = [
  ['review', 20],
  ['blocked', 28],
  ['closed', 32],
  ['disputed', 35],
  ['inactive', 45],
  ['rejected', 50],
] as const

/** Blocked by R29 again after their only unblock. */
const blockedTwice = [25, 26, 27]

const unblocked: PaykeyState = {
  status: 'active',
  cause: { ...paykeyCauses.unblock, message: 'The customer has put our originator id on the list of their bank' },
}

/** Active paykeys whose only unblock was used. */
const unblockedOnce = [70, 71]

/** Bank accounts shared by several customers: blocked together, or in review for one and active for another. */
const shared: Readonly<Record<number, number>> = { 21: 20, 26: 25, 29: 28, 105: 5, 109: 9, 110: 9, 201: 200, 202: 200 }

/** The last forty paykeys are second links of already linked bank accounts. */
const secondLinks = 560

/** Days until expiry of the paykeys from index 60 on. */
const expiring = [-4, -2, -1, -1, 1, 3, 6, 9, 14, 21]

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

/** Most reviews are about names, which only an aggregator returns. */
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
