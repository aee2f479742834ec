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
 * Time in milliseconds until a bank returns a balance. Shorter than the 5 s until a payment's check, so that the check of a payment created
 * at the same time can use the balance.
 */
export const balanceTimer: TimerSpec = { kind: 'paykey_balance', after: 3_000 }

/**
 * Returns the next balance in cents, from $10 to $90,000. It derives from the paykey's id and previous balance, so every run gets the same
 * balances.
 */
function makeNextBalance({ id, balance }: Paykey): number {
  const digest = createHash('sha256').update(`${id} ${balance.account_balance}`).digest()
  return new Random(digest.readUInt32BE()).int(1_000, 9_000_000)
}

/**
 * Ends a scheduled balance read of the paykey with number `target`. For bank details alone the read fails and the previous balance stays.
 * Does nothing if the paykey's status no longer allows the read.
 */
export function readBalance(sandbox: Sandbox, target: string, at: number): void {
  const entry = sandbox.paykeys.at(Number(target))
  if (!entry || (entry.doc.status !== 'pending' && assessMove(paykeyMachine, 'refresh_balance', entry.doc.status) === 'refused')) return
  const { doc } = entry
  doc.balance = hasHolderNames(doc.source)
    ? { status: 'completed', account_balance: makeNextBalance(doc), updated_at: iso(at) }
    : { ...doc.balance, status: 'failed', updated_at: iso(at) }
  doc.updated_at = iso(at)
  sandbox.paykeys.save(entry)
  announcePaykey(sandbox, entry, at)
}
