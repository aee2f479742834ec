import type { Account } from '@/sandbox/accounts/account'
import { makeUnprocessableProblem } from '@/sandbox/http/problem'
import { blockSharedPaykeys } from '@/sandbox/paykeys/move-paykey'
import { type BlockingCode, blockingCodes } from '@/sandbox/paykeys/paykey-store'
import type { Sandbox } from '@/sandbox/sandbox'
import { type Payment, type PaymentDoc, type StatusChange, stepDelaysMs } from './payment'
import type { PaymentType } from './payment-values'

type RequiredRight = {
  type: PaymentType
  customerType: 'individual' | 'business'
  consent: PaymentDoc['consent_type']
}

function listRequiredCapabilities(
  { payment_types, customer_types, consent_types }: Account['capabilities'],
  { type, customerType, consent }: RequiredRight,
) {
  return [
    [`${type}s`, type === 'charge' ? payment_types.charges : payment_types.payouts],
    [
      customerType === 'individual' ? 'individuals' : 'businesses',
      customer_types[customerType === 'individual' ? 'individuals' : 'businesses'],
    ],
    ...(consent === undefined ? [] : [[consent, consent_types[consent]] as const]),
  ] as const
}

/**
 * Returns an error text if the account may not make the payment. In production, only an active
 * account may make payments. In the sandbox environment, an account may move test money before its
 * onboarding (provider-facts 3.4).
 */
export function findMissingRightError(
  { accounts, environment }: Sandbox,
  payment: Pick<Payment, 'account'>,
  requiredRight: RequiredRight,
): string | undefined {
  const account = accounts.at(payment.account)?.doc
  if (!account) throw new RangeError(`no account ${payment.account}`)
  const { status, capabilities } = account
  const allowedStatuses =
    environment === 'production' ? ['active'] : ['created', 'onboarding', 'active']
  if (!allowedStatuses.includes(status))
    return `An account in status ${status} cannot make payments.`
  const missingCapability = listRequiredCapabilities(capabilities, requiredRight).find(
    ([, { capability_status }]) => capability_status !== 'active',
  )
  return (
    missingCapability &&
    `The account lacks the capability ${missingCapability[0]}; ask for it with a capability request.`
  )
}

export function requirePaymentRight(
  sandbox: Sandbox,
  payment: Pick<Payment, 'account'>,
  requiredRight: RequiredRight,
): void {
  const missingRightError = findMissingRightError(sandbox, payment, requiredRight)
  if (missingRightError !== undefined) throw makeUnprocessableProblem(missingRightError)
}

const toBlockingCode = (code: string | null | undefined): BlockingCode | undefined =>
  blockingCodes.find((known) => known === code)

/**
 * Schedules the block of the bank account two seconds after a return, as at the provider. A failed
 * check can have the same code as a return. Its source is `watchtower`, and it blocks nothing.
 */
export function scheduleBlockAfterReturn(
  sandbox: Sandbox,
  payment: Payment,
  { code, source }: StatusChange,
  now: number,
): void {
  if (source === 'watchtower' || toBlockingCode(code) === undefined) return
  sandbox.timers.set('bank_account_block', `${payment.paykey}:${code}`, now + stepDelaysMs.block)
}

export function blockBankAccount(sandbox: Sandbox, paykeyAndCode: string, at: number): void {
  const [paykey, word] = paykeyAndCode.split(':')
  const code = toBlockingCode(word)
  if (code !== undefined) blockSharedPaykeys(sandbox, Number(paykey), code, at)
}
