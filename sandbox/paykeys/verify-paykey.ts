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

/** How long a verification takes that does not run in the answer; the provider's take 5 to 12 s. */
const verificationMs = 8_000

const moves = { accept: 'pass', review: 'flag', reject: 'fail' } as const

/** The move a verification asks for, and what the status then says. */
export function moveAfter({ decision, breakdown }: Verification) {
  const finding = breakdown.name_match ?? breakdown.account_validation
  return { name: moves[decision], cause: decision === 'accept' || !finding?.reason ? {} : { message: finding.reason } }
}

/** Plans a verification on the sandbox's clock. */
export function planVerification({ timers }: Sandbox, paykeyNumber: number, now: number): void {
  timers.set(kind, paykeyNumber, now + verificationMs)
}

/** Ends a planned verification without a result: somebody decided meanwhile. */
export function stopVerification({ timers }: Sandbox, paykeyNumber: number): void {
  timers.clear(kind, paykeyNumber)
}

/** True while a verification is planned. */
export const isVerificationPlanned = ({ timers }: Sandbox, paykeyNumber: number): boolean => timers.at(kind, paykeyNumber) !== undefined

function verifyAgain(sandbox: Sandbox, { doc }: PaykeyEntry, at: number): Verification | undefined {
  const evidence = sandbox.paykeys.evidence.get(doc.id)
  if (!evidence) return undefined
  const { name_match } = evidence.doc.verification.breakdown
  const customer = sandbox.customers.get(doc.customer_id)?.doc.name
  const subject = {
    ...{ source: doc.source, routing_number: doc.bank_data.routing_number },
    names_on_account: name_match?.names_on_account ?? (customer === undefined ? [] : [customer]),
    // The name of today: a customer who corrected it passes a check that failed before.
    customer_name: customer ?? name_match?.customer_name ?? '',
  }
  const { id, created_at } = evidence.doc.verification
  // A skip is for the first time alone: whoever asks for a verification wants one.
  const config = { ...doc.config, processing_method: 'inline' } as const
  const verification = makeVerification(subject, { id, created: Date.parse(created_at), updated: at, config })
  sandbox.paykeys.evidence.save({ ...evidence, doc: { id: doc.id, verification } })
  return verification
}

/**
 * Does a verification that is due: the evidence is looked at again, and the paykey goes where it leads. `target` is the paykey's number. One
 * that was blocked, cancelled or decided against meanwhile stays as it is.
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
