import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { announcePaykey } from './announce-paykey'
import { type PaykeyCause, paykeyCauses } from './paykey-causes'
import { type PaykeyStateMove, paykeyMachine } from './paykey-machine'
import type { PaykeyStatus } from './paykey-schema'
import { bankAccountOf, type PaykeyEntry } from './paykey-store'

const undecided: readonly PaykeyStatus[] = ['pending', 'review']

/** Returns the return code that blocks a paykey: that of its bank account, or else the paykey's own. */
export const blockingCodeOf = ({ paykeys }: Sandbox, entry: PaykeyEntry): string | null =>
  paykeys.blockOf(bankAccountOf(entry)) ?? entry.doc.status_details.code

/**
 * Makes a move: saves the new status and details, sends the event, and notifies payments that wait for a decision. `cause` overrides the
 * default cause. The caller has called `requireMove` or `judge`, inside a transaction.
 */
export function movePaykey(
  sandbox: Sandbox,
  entry: PaykeyEntry,
  name: PaykeyStateMove,
  at: number,
  cause: Partial<PaykeyCause> = {},
): void {
  const { doc } = entry
  const from = doc.status
  const { to } = paykeyMachine.moves[name]
  if (to === 'same') return
  doc.status = to
  doc.status_details = { ...paykeyCauses[name], ...cause, changed_at: iso(at) }
  doc.updated_at = iso(at)
  doc.unblock_eligible = to === 'blocked' ? blockingCodeOf(sandbox, entry) === 'R29' && !entry.secret.unblocked : null
  sandbox.paykeys.save(entry)
  announcePaykey(sandbox, entry, at)
  if (undecided.includes(from) && !undecided.includes(to)) sandbox.decisions.tell({ about: 'paykey', number: entry.n, status: to, at })
}
