import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { type PaykeyCause, paykeyCauses } from './paykey-causes'
import type { Paykey, PaykeyStatus } from './paykey-schema'
import { bankAccountOf, type PaykeyEntry, type PaykeyStateMove, paykeyMachine } from './paykey-store'

/**
 * Writes the event of a new or changed paykey, with the full token (provider-facts 4.2) and a masked account number. Must run inside the
 * change's transaction, after the save.
 */
export function announcePaykey(sandbox: Sandbox, entry: PaykeyEntry, now: number, kind: 'created' | 'changed' = 'changed'): void {
  const accountId = entry.account === null ? '' : sandbox.accounts.idOf(entry.account)
  sandbox.events[kind]({ resource: 'paykey', accountId, data: revealed(entry) }, now)
}

const undecided: readonly PaykeyStatus[] = ['pending', 'review']

/** Returns the return code that blocks a paykey: that of its bank account, or else the paykey's own. */
export const blockingCodeOf = ({ paykeys }: Sandbox, entry: PaykeyEntry): string | null =>
  paykeys.blockOf(bankAccountOf(entry)) ?? entry.doc.status_details.code

/**
 * Makes a move and returns the changed entry: saves the new status and details, sends the event, and notifies payments that wait for a decision. `cause` overrides the
 * default cause. The caller has called `requireMove` or `judge`, inside a transaction.
 */
export function movePaykey(
  sandbox: Sandbox,
  entry: PaykeyEntry,
  name: PaykeyStateMove,
  at: number,
  cause: Partial<PaykeyCause> = {},
): PaykeyEntry {
  const { doc } = entry
  const from = doc.status
  const { to } = paykeyMachine.moves[name]
  if (to === 'same') return entry
  doc.status = to
  doc.status_details = { ...paykeyCauses[name], ...cause, changed_at: iso(at) }
  doc.updated_at = iso(at)
  doc.unblock_eligible = to === 'blocked' ? blockingCodeOf(sandbox, entry) === 'R29' && !entry.secret.unblocked : null
  sandbox.paykeys.save(entry)
  announcePaykey(sandbox, entry, at)
  if (undecided.includes(from) && !undecided.includes(to)) sandbox.decided({ about: 'paykey', number: entry.n, status: to, at })
  return entry
}

/** Returns a paykey with its full token; the account number stays masked. */
export const revealed = ({ doc, secret }: PaykeyEntry): Paykey => ({ ...doc, paykey: secret.token })
