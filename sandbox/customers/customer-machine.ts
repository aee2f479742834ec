import { machine } from '@/sandbox/machine'
import { type CustomerStatus, type customerOutcomes, customerStatuses } from './customer-schema'

/**
 * State machine of a customer (provider-facts 3.2). `decide_*` is a person's decision on a review; `set_*` is an update's status. An update
 * can neither pass a running verification nor start a review. `pass`, `flag` and `fail` are the results of a verification.
 */
export const customerMachine = machine({
  noun: 'customer',
  states: customerStatuses,
  moves: {
    decide_verified: { by: 'ask', from: ['review'], to: 'verified', done: 'verified by a decision' },
    decide_rejected: { by: 'ask', from: ['review'], to: 'rejected', done: 'rejected by a decision' },
    set_pending: { by: 'ask', from: ['pending'], to: 'same', done: 'set to pending' },
    set_review: { by: 'ask', from: ['review'], to: 'same', done: 'set to review' },
    set_verified: { by: 'ask', from: ['review', 'inactive', 'rejected'], to: 'verified', already: ['verified'], done: 'set to verified' },
    set_rejected: { by: 'ask', from: ['review', 'verified', 'inactive'], to: 'rejected', already: ['rejected'], done: 'set to rejected' },
    set_inactive: {
      ...{ by: 'ask', from: ['pending', 'review', 'verified', 'rejected'] },
      ...{ to: 'inactive', already: ['inactive'], done: 'set to inactive' },
    },
    refresh: { by: 'ask', from: ['review', 'verified', 'rejected'], to: 'same', done: 'reviewed again' },
    delete: { by: 'ask', from: customerStatuses, to: 'same', done: 'deleted' },
    pass: { by: 'clock', from: ['pending', 'review', 'verified', 'rejected'], to: 'verified', done: 'verified' },
    flag: { by: 'clock', from: ['pending', 'review', 'verified', 'rejected'], to: 'review', done: 'put into review' },
    fail: { by: 'clock', from: ['pending', 'review', 'verified', 'rejected'], to: 'rejected', done: 'rejected' },
  },
})

export type CustomerMove = keyof typeof customerMachine.moves

export function stateAfter(move: CustomerMove, from: CustomerStatus): CustomerStatus {
  const { to } = customerMachine.moves[move]
  return to === 'same' ? from : to
}

const ends = { standard: 'pass', verified: 'pass', review: 'flag', rejected: 'fail' } as const

/** Returns the verification's result for an outcome. `standard` passes, so that the same request always gets the same response. */
export const verdictOf = (outcome: (typeof customerOutcomes)[number]): 'pass' | 'flag' | 'fail' => ends[outcome]
