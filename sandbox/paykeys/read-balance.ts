import { createHash } from 'node:crypto'
import { assessMove } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso, type TimerSpec } from '@/sandbox/store/clock'
import { Random } from '@/sandbox/store/random'
import { announcePaykey } from './move-paykey'
import type { Paykey } from './paykey-schema'
import { paykeyMachine } from './paykey-store'
import { hasHolderNames } from './verify-paykey'

/**
 * Delay in milliseconds until the bank reports a balance. A new payment is checked after 5 s. This
 * delay is shorter, so that the check of a payment created at the same time as its paykey can use
 * the balance.
 */
export const balanceTimer: TimerSpec = { kind: 'paykey_balance', after: 3_000 }

/**
 * Returns the next balance in cents, from $10 to $90,000. Derives it from the id and previous
 * balance of the paykey, so that every run gets the same balances.
 */
function makeNextBalance({ id, balance }: Paykey): number {
  const digest = createHash('sha256').update(`${id} ${balance.account_balance}`).digest()
  return new Random(digest.readUInt32BE()).int(1_000, 9_000_000)
}

/**
 * Ends a scheduled balance read. The timer's target is the row number of the paykey, as a text. For
 * a paykey made from bank details alone, the read fails and the previous balance stays. Does
 * nothing if the status of the paykey no longer allows the read.
 */
export function completeBalanceRead(sandbox: Sandbox, paykeyNumber: string, at: number): void {
  const entry = sandbox.paykeys.at(Number(paykeyNumber))
  if (
    !entry ||
    (entry.doc.status !== 'pending' &&
      assessMove(paykeyMachine, 'refresh_balance', entry.doc.status) === 'refused')
  )
    return
  const { doc } = entry
  doc.balance = hasHolderNames(doc.source)
    ? { status: 'completed', account_balance: makeNextBalance(doc), updated_at: iso(at) }
    : { ...doc.balance, status: 'failed', updated_at: iso(at) }
  doc.updated_at = iso(at)
  sandbox.paykeys.save(entry)
  announcePaykey(sandbox, entry, at)
}
