import { unprocessable } from '@/sandbox/http/problem'
import { assessMove } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { blockCauses, type PaykeyCause, paykeyCauses } from './paykey-causes'
import type { Paykey, PaykeyStatus } from './paykey-schema'
import { type BlockingCode, type PaykeyEntry, type PaykeyStateMove, paykeyMachine, toBankAccount } from './paykey-store'

/**
 * Writes the event of a new or changed paykey, with the unmasked token (provider-facts 4.2) and a masked account number. Must run in the
 * change's transaction, after the save.
 */
export function announcePaykey(sandbox: Sandbox, entry: PaykeyEntry, now: number, kind: 'created' | 'changed' = 'changed'): void {
  const accountId = entry.account === null ? '' : sandbox.accounts.idOf(entry.account)
  sandbox.events[kind]({ resource: 'paykey', accountId, data: revealPaykey(entry) }, now)
}

const undecidedStatuses: readonly PaykeyStatus[] = ['pending', 'review']

export const findBlockingCode = ({ paykeys }: Sandbox, entry: PaykeyEntry): string | null =>
  paykeys.blockOf(toBankAccount(entry)) ?? entry.doc.status_details.code

/**
 * Moves a paykey and returns the entry, which it changes in place. Saves status and details, sends the event, and notifies payments that
 * wait for a decision. `cause` overrides the default cause. The caller must call `requireMove` or `judge` first, in the same transaction.
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
  doc.unblock_eligible = to === 'blocked' ? findBlockingCode(sandbox, entry) === 'R29' && !entry.secret.unblocked : null
  sandbox.paykeys.save(entry)
  announcePaykey(sandbox, entry, at)
  if (undecidedStatuses.includes(from) && !undecidedStatuses.includes(to))
    sandbox.decided({ about: 'paykey', number: entry.n, status: to, at })
  return entry
}

export const revealPaykey = ({ doc, secret }: PaykeyEntry): Paykey => ({ ...doc, paykey: secret.token })

/**
 * Throws a 422 unless the paykey is blocked by R29 and was never unblocked. The return code of the bank account's block takes precedence
 * over the paykey's own.
 */
export function requireUnblockable(sandbox: Sandbox, entry: PaykeyEntry): void {
  if (entry.secret.unblocked) throw unprocessable('This paykey was unblocked before; a paykey can be unblocked only once.')
  const code = findBlockingCode(sandbox, entry)
  if (code !== 'R29') throw unprocessable(`A paykey blocked after a return with code ${code} cannot be unblocked; only R29 can.`)
}

/**
 * Blocks every usable paykey of the returned paykey's bank account, in all accounts, and closes the bank account to new paykeys
 * (provider-facts 3.3). A paykey blocked by R29 can be unblocked once. R02 and R05 block permanently, also paykeys that R29 had blocked.
 * Must run in the change's transaction.
 */
export function blockSharedPaykeys(sandbox: Sandbox, paykeyNumber: number, code: BlockingCode, at: number): void {
  const returned = sandbox.paykeys.at(paykeyNumber)
  if (!returned) return
  const bankAccount = toBankAccount(returned)
  sandbox.paykeys.rememberBlock(bankAccount, code, at)
  for (const entry of sandbox.paykeys.on(bankAccount)) {
    const { status, status_details } = entry.doc
    const isPermanent = code !== 'R29' && status_details.code === 'R29'
    if (assessMove(paykeyMachine, 'block', status) === 'moves') movePaykey(sandbox, entry, 'block', at, blockCauses[code])
    else if (isPermanent && assessMove(paykeyMachine, 'close', status) === 'moves')
      movePaykey(sandbox, entry, 'close', at, blockCauses[code])
  }
}

function eraseHolderNames({ paykeys: { evidence } }: Sandbox, paykeyId: string): void {
  const storedEvidence = evidence.get(paykeyId)
  const { name_match } = storedEvidence?.doc.verification.breakdown ?? {}
  if (!storedEvidence || !name_match) return
  Object.assign(name_match, { names_on_account: [], matched_name: null, customer_name: '' })
  evidence.save(storedEvidence)
}

/**
 * Permanently cancels every paykey of a deleted customer, and removes names from their verifications. Must run in the deletion's
 * transaction.
 */
export function cancelCustomerPaykeys(sandbox: Sandbox, customerId: string, now: number): void {
  for (const entry of sandbox.paykeys.find({ column: 'customer_id', is: customerId })) {
    if (assessMove(paykeyMachine, 'cancel', entry.doc.status) === 'moves') {
      movePaykey(sandbox, entry, 'cancel', now, { message: 'The customer was deleted' })
    }
    eraseHolderNames(sandbox, entry.doc.id)
  }
}
