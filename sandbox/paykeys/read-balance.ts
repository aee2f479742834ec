import { createHash } from 'node:crypto'
import { judge } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { Random } from '@/sandbox/store/random'
import { announcePaykey } from './announce-paykey'
import { knowsHolder } from './make-verification'
import { paykeyMachine } from './paykey-machine'
import type { Paykey } from './paykey-schema'

const kind = 'paykey_balance'

/** How long a bank takes to answer; before the check of a payment made in the same moment, which waits 5 s. */
const balanceMs = 3_000

/** Plans the reading of a balance on the sandbox's clock. */
export function planBalance({ timers }: Sandbox, paykeyNumber: number, now: number): void {
  timers.set(kind, paykeyNumber, now + balanceMs)
}

/** True while a reading is planned. */
export const isBalancePlanned = ({ timers }: Sandbox, paykeyNumber: number): boolean => timers.at(kind, paykeyNumber) !== undefined

/** The cents a bank gives: from ten dollars to ninety thousand, another amount after each reading, the same in each run for the same paykey. */
function nextBalance({ id, balance }: Paykey): number {
  const digest = createHash('sha256').update(`${id} ${balance.account_balance}`).digest()
  return new Random(digest.readUInt32BE()).int(1_000, 9_000_000)
}

/**
 * Reads the balance that is due. Bank details alone give no right to look into an account, so for them it fails and what was known stays.
 * `target` is the paykey's number; one that is not usable any more is left alone.
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
