import { createHash } from 'node:crypto'
import { assessMove } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { type TimerSpec, toIsoTime } from '@/sandbox/store/clock'
import { Random } from '@/sandbox/store/random'
import { recordPaykeyEvent } from './move-paykey'
import type { Paykey } from './paykey-schema'
import { paykeyMachine } from './paykey-store'
import { hasHolderNames } from './verify-paykey'

/**
 * Timer of a balance read. `after` is in milliseconds. A new payment is checked after 5 s, so if a
 * payment is created together with its paykey, its check can already use the balance.
 */
export const balanceTimer: TimerSpec = { kind: 'paykey_balance', after: 3_000 }

/**
 * Returns a balance in cents. It depends only on id and previous balance, so every run has the same
 * balances.
 */
function makeNextBalance({ id, balance }: Paykey): number {
  const digest = createHash('sha256').update(`${id} ${balance.account_balance}`).digest()
  return new Random(digest.readUInt32BE()).int(1_000, 9_000_000)
}

/**
 * Ends a balance read. The timer's target is the row number of the paykey, as a text. For a paykey
 * made from bank details alone, the read fails and the previous balance stays.
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
    ? { status: 'completed', account_balance: makeNextBalance(doc), updated_at: toIsoTime(at) }
    : { ...doc.balance, status: 'failed', updated_at: toIsoTime(at) }
  doc.updated_at = toIsoTime(at)
  sandbox.paykeys.save(entry)
  recordPaykeyEvent(sandbox, entry, at)
}
