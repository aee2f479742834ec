import { getOwnerId } from '@/sandbox/accounts/owner'
import { makeUnprocessableProblem } from '@/sandbox/http/problem'
import { assessMove } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { toIsoTime } from '@/sandbox/store/clock'
import { blockCauseByReturnCode, causeByPaykeyMove, type PaykeyCause } from './paykey-causes'
import type { Paykey, PaykeyStatus } from './paykey-schema'
import {
  type BlockingCode,
  type PaykeyEntry,
  type PaykeyStateMove,
  paykeyMachine,
  toBankAccount,
} from './paykey-store'

/**
 * Records an event that contains the unmasked token of the paykey (provider-facts 4.2). Call it in
 * the transaction of the change, after the paykey is saved.
 */
export function recordPaykeyEvent(
  sandbox: Sandbox,
  entry: PaykeyEntry,
  now: number,
  kind: 'created' | 'changed' = 'changed',
): void {
  const accountId = getOwnerId(sandbox, entry.account)
  sandbox.events[kind]({ resource: 'paykey', accountId, data: revealPaykey(entry) }, now)
}

const undecidedStatuses: readonly PaykeyStatus[] = ['pending', 'review']

export const findBlockingCode = ({ paykeys }: Sandbox, entry: PaykeyEntry): string | null =>
  paykeys.blockOf(toBankAccount(entry)) ?? entry.doc.status_details.code

/**
 * Changes the entry in place. If the move ends a review or a pending verification, the payments
 * that wait for it continue or fail. The caller must check the move first, with `requireMove` or
 * `assessMove`, in the same transaction.
 */
export function movePaykey(
  sandbox: Sandbox,
  entry: PaykeyEntry,
  moveName: PaykeyStateMove,
  movedAt: number,
  cause: Partial<PaykeyCause> = {},
): PaykeyEntry {
  const { doc } = entry
  const previousStatus = doc.status
  const { to } = paykeyMachine.moves[moveName]
  if (to === 'same') return entry
  doc.status = to
  doc.status_details = { ...causeByPaykeyMove[moveName], ...cause, changed_at: toIsoTime(movedAt) }
  doc.updated_at = toIsoTime(movedAt)
  doc.unblock_eligible =
    to === 'blocked' ? findBlockingCode(sandbox, entry) === 'R29' && !entry.secret.unblocked : null
  sandbox.paykeys.save(entry)
  recordPaykeyEvent(sandbox, entry, movedAt)
  if (undecidedStatuses.includes(previousStatus) && !undecidedStatuses.includes(to))
    sandbox.decided({ about: 'paykey', number: entry.n, status: to, at: movedAt })
  return entry
}

export const revealPaykey = ({ doc, secret }: PaykeyEntry): Paykey => ({
  ...doc,
  paykey: secret.token,
})

/**
 * Throws a 422 if the paykey was unblocked before, or if the block has another return code than
 * R29. The code stored for the bank account takes precedence over the code of the paykey.
 */
export function requireUnblockable(sandbox: Sandbox, entry: PaykeyEntry): void {
  if (entry.secret.unblocked)
    throw makeUnprocessableProblem(
      'This paykey was unblocked before; a paykey can be unblocked only once.',
    )
  const code = findBlockingCode(sandbox, entry)
  if (code !== 'R29')
    throw makeUnprocessableProblem(
      `A paykey blocked after a return with code ${code} cannot be unblocked; only R29 can.`,
    )
}

/**
 * Blocks all usable paykeys of a bank account, in all accounts, and closes the bank account to new
 * paykeys (provider-facts 3.3). After a block by R29, each paykey can be unblocked once. A block by
 * R02 or R05 is permanent and replaces one by R29. Must run in the transaction of the change.
 */
export function blockSharedPaykeys(
  sandbox: Sandbox,
  paykeyNumber: number,
  code: BlockingCode,
  at: number,
): void {
  const returnedPaykey = sandbox.paykeys.at(paykeyNumber)
  if (!returnedPaykey) return
  const bankAccount = toBankAccount(returnedPaykey)
  sandbox.paykeys.rememberBlock(bankAccount, code, at)
  for (const entry of sandbox.paykeys.on(bankAccount)) {
    const { status, status_details } = entry.doc
    const shouldClosePermanently = code !== 'R29' && status_details.code === 'R29'
    if (assessMove(paykeyMachine, 'block', status) === 'moves')
      movePaykey(sandbox, entry, 'block', at, blockCauseByReturnCode[code])
    else if (shouldClosePermanently && assessMove(paykeyMachine, 'close', status) === 'moves')
      movePaykey(sandbox, entry, 'close', at, blockCauseByReturnCode[code])
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
 * Permanently cancels all paykeys of a deleted customer, and removes personal names from their
 * verification evidence. Must run in the transaction that deletes the customer.
 */
export function cancelCustomerPaykeys(sandbox: Sandbox, customerId: string, now: number): void {
  for (const entry of sandbox.paykeys.find({ column: 'customer_id', is: customerId })) {
    if (assessMove(paykeyMachine, 'cancel', entry.doc.status) === 'moves') {
      movePaykey(sandbox, entry, 'cancel', now, { message: 'The customer was deleted' })
    }
    eraseHolderNames(sandbox, entry.doc.id)
  }
}
