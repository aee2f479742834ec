import { createHash } from 'node:crypto'
import { judge } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso, type TimerSpec } from '@/sandbox/store/clock'
import { Random } from '@/sandbox/store/random'
import { announcePaykey } from './move-paykey'
import type { Paykey } from './paykey-schema'
import { paykeyMachine } from './paykey-store'
import { knowsHolder } from './verify-paykey'

/** Until a bank returns a balance: shorter than the 5 s until the check of a payment made at the same time. */
export const balanceTimer: TimerSpec = { kind: 'paykey_balance', after: 3_000 }

/** Returns a balance in cents, from $10 to $90,000. It changes after each read and is the same in each run for the same paykey. */
function nextBalance({ id, balance }: Paykey): number {
  const digest = createHash('sha256').update(`${id} ${balance.account_balance}`).digest()
  return new Random(digest.readUInt32BE()).int(1_000, 9_000_000)
}

/**
 * Performs the due balance read. For bank details alone it fails, and the earlier balance stays. `target` is the paykey's number; a paykey
 * that is no longer usable does not change.
 */
export function readBalance(sandbox: Sandbox, target: string, at: number): void {
  const entry = sandbox.paykeys.at(Number(target))
  if (!entry || (entry.doc.status !== 'pending' && judge(paykeyMachine, 'refresh_balance', entry.doc.status) === 'refused')) return
  const { doc } = entry
  doc.balance = knowsHolder(doc.source)
    ? { status: 'completed', account_balance: nextBalance(doc), updated_at: iso(at) }
    : { ...doc.balance, status: 'failed', updated_at: iso(at) }
  doc.updated_at = iso(at)
  sandbox.paykeys.save(entry)
  announcePaykey(sandbox, entry, at)
}
