import { machine } from '@/sandbox/machine'
import { paykeyStatuses } from './paykey-schema'

/**
 * State machine of paykeys (provider-facts 3.3). `pass`, `flag` and `fail` are the results of every verification, first or repeated.
 * `block` follows a return; `close` follows a permanent return on a paykey that is already blocked. `rejected` and `inactive` are final.
 */
export const paykeyMachine = machine({
  noun: 'paykey',
  states: paykeyStatuses,
  moves: {
    pass: { by: 'clock', from: ['pending', 'review'], to: 'active', already: ['active'], done: 'verified' },
    flag: { by: 'clock', from: ['pending', 'active'], to: 'review', already: ['review'], done: 'put in review' },
    fail: { by: 'clock', from: ['pending', 'active', 'review'], to: 'rejected', done: 'refused by verification' },
    block: { by: 'clock', from: ['pending', 'active', 'review'], to: 'blocked', done: 'blocked' },
    close: { by: 'clock', from: ['blocked'], to: 'blocked', done: 'permanently blocked' },
    approve: { by: 'ask', from: ['review'], to: 'active', done: 'approved' },
    reject: { by: 'ask', from: ['review'], to: 'rejected', done: 'rejected' },
    cancel: { by: 'ask', from: ['pending', 'active', 'review', 'blocked'], to: 'inactive', done: 'cancelled' },
    unblock: { by: 'ask', from: ['blocked'], to: 'active', done: 'unblocked' },
    refresh_review: { by: 'ask', from: ['active', 'review'], to: 'same', done: 'verified again' },
    refresh_balance: { by: 'ask', from: ['active', 'review'], to: 'same', done: 'asked for its balance' },
  },
})

export type PaykeyMove = keyof typeof paykeyMachine.moves

/** Moves that set a state; a refresh keeps it until its result arrives. */
export type PaykeyStateMove = Exclude<PaykeyMove, 'refresh_review' | 'refresh_balance'>
