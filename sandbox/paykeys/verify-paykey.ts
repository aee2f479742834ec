import { judge } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { announcePaykey } from './announce-paykey'
import { makeVerification } from './make-verification'
import { movePaykey } from './move-paykey'
import { paykeyMachine } from './paykey-machine'
import type { Verification } from './paykey-schema'
import type { PaykeyEntry } from './paykey-store'

const kind = 'paykey_verification'

/** Milliseconds of a background verification; the provider's take 5 to 12 s. */
const verificationMs = 8_000

const moves = { accept: 'pass', review: 'flag', reject: 'fail' } as const

export function moveAfter({ decision, breakdown }: Verification) {
  const finding = breakdown.name_match ?? breakdown.account_validation
  return { name: moves[decision], cause: decision === 'accept' || !finding?.reason ? {} : { message: finding.reason } }
}

export function planVerification({ timers }: Sandbox, paykeyNumber: number, now: number): void {
  timers.set(kind, paykeyNumber, now + verificationMs)
}

/** Cancels a scheduled verification, after a manual decision. */
export function stopVerification({ timers }: Sandbox, paykeyNumber: number): void {
  timers.clear(kind, paykeyNumber)
}

export const isVerificationPlanned = ({ timers }: Sandbox, paykeyNumber: number): boolean => timers.at(kind, paykeyNumber) !== undefined

function verifyAgain(sandbox: Sandbox, { doc }: PaykeyEntry, at: number): Verification | undefined {
  const evidence = sandbox.paykeys.evidence.get(doc.id)
  if (!evidence) return undefined
  const { name_match } = evidence.doc.verification.breakdown
  const customer = sandbox.customers.get(doc.customer_id)?.doc.name
  const subject = {
    ...{ source: doc.source, routing_number: doc.bank_data.routing_number },
    names_on_account: name_match?.names_on_account ?? (customer === undefined ? [] : [customer]),
    // The current name: a customer who corrected it can pass a check that failed before.
    customer_name: customer ?? name_match?.customer_name ?? '',
  }
  const { id, created_at } = evidence.doc.verification
  // `skip` applies only to the first verification; a requested one always runs.
  const config = { ...doc.config, processing_method: 'inline' } as const
  const verification = makeVerification(subject, { id, created: Date.parse(created_at), updated: at, config })
  sandbox.paykeys.evidence.save({ ...evidence, doc: { id: doc.id, verification } })
  return verification
}

/**
 * Performs a due verification: checks the evidence again and moves the paykey. `target` is the paykey's number. A paykey that was blocked,
 * cancelled or rejected since does not change.
 */
export function verifyPaykey(sandbox: Sandbox, target: string, at: number): void {
  const entry = sandbox.paykeys.at(Number(target))
  if (!entry || judge(paykeyMachine, 'fail', entry.doc.status) === 'refused') return
  const verification = verifyAgain(sandbox, entry, at)
  if (!verification) return
  const { name, cause } = moveAfter(verification)
  if (judge(paykeyMachine, name, entry.doc.status) === 'moves') {
    movePaykey(sandbox, entry, name, at, cause)
    return
  }
  entry.doc.updated_at = iso(at)
  sandbox.paykeys.save(entry)
  announcePaykey(sandbox, entry, at)
}
