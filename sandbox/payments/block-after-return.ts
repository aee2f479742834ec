import { blockPaykeysOf } from '@/sandbox/paykeys/block-paykeys'
import { type BlockingCode, blockingCodes } from '@/sandbox/paykeys/paykey-store'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Payment, StatusChange } from './payment'
import { waits } from './payment-times'

const codeOf = (code: string | null | undefined): BlockingCode | undefined => blockingCodes.find((known) => known === code)

/**
 * Schedules the block of every paykey on a payment's bank account, if the return code requires it: two seconds later, as at the provider.
 */
export function blockAfterReturn(sandbox: Sandbox, payment: Payment, { code, source }: StatusChange, now: number): void {
  if (source === 'watchtower' || codeOf(code) === undefined) return
  sandbox.timers.set('bank_account_block', `${payment.paykey}:${code}`, now + waits.block)
}

/** Performs a scheduled block; `target` is the paykey's number and the code. */
export function blockBankAccount(sandbox: Sandbox, target: string, at: number): void {
  const [paykey, word] = target.split(':')
  const code = codeOf(word)
  if (code !== undefined) blockPaykeysOf(sandbox, Number(paykey), code, at)
}
