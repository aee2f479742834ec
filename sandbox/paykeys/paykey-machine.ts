import { machine } from '@/sandbox/machine'
import { paykeyStatuses } from './paykey-schema'

/**
 * The whole state machine of paykeys (provider-facts 3.3). `pass`, `flag` and `fail` are what a verification ends in, the first one and every
 * one that is asked for later. `block` follows a return, `close` one that cannot be undone on a paykey that is blocked already. Rejected and
 * inactive are final.
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

/** A move that leads to another state; a refresh leaves it as it is until its result is there. */
export type PaykeyStateMove = Exclude<PaykeyMove, 'refresh_review' | 'refresh_balance'>
