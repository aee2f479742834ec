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
 * `after` is in milliseconds. A new payment is checked after 5 s, so the check of a payment created
 * at the same time as its paykey can use the balance.
 */
export const balanceTimer: TimerSpec = { kind: 'paykey_balance', after: 3_000 }

/** Returns cents. Depends only on id and previous balance, so every run has the same balances. */
function makeNextBalance({ id, balance }: Paykey): number {
  const digest = createHash('sha256').update(`${id} ${balance.account_balance}`).digest()
  return new Random(digest.readUInt32BE()).int(1_000, 9_000_000)
}

/**
 * The timer's target is a row number, as a text. For a paykey made from bank details alone, the
 * read fails and the previous balance stays.
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
