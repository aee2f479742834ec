import type { DecisionReason } from './decision-reasons'

/** Why other limits are asked for. The service takes no reason: it stays with the request in Paydesk, where whoever asks compliance finds it. */
export const limitReasons: readonly DecisionReason[] = [
  { code: 'VOLUME_GROWTH', label: 'The business grows', template: 'The account moves more than its limits were made for.' },
  { code: 'SEASONAL_PEAK', label: 'A seasonal peak', template: 'The account expects a season with more payments than usual.' },
  { code: 'LARGE_PAYMENT', label: 'A single large payment', template: 'A payment is planned that is larger than the limit allows.' },
  { code: 'NEW_PRODUCT', label: 'A new product', template: 'The account begins a product that moves other amounts than before.' },
  { code: 'LIMIT_TOO_WIDE', label: 'The limits are wider than needed', template: 'The account moves far less than its limits allow.' },
  { code: 'CORRECTION', label: 'The limits were set wrongly', template: 'The limits in force are not those that were agreed.' },
]

/** The longest text a reason may hold together with its code (see `reason.schema`). */
const longest = 300

/** A reason with, where a limit jumps, the sentence about that behind it. It never grows beyond what a reason may be. */
export function withJump(text: string, jump: string): string {
  const about = jump.replace(/\s+/g, ' ').trim()
  return about === '' ? text : `${text.trim()} Why so much more: ${about}`
}

/** What is wrong with the sentence about a jump; null where there is none to give, or it is given. */
export function jumpFault(text: string, jump: string, jumps: number): string | null {
  if (jumps === 0) return null
  if (jump.trim().length < 20) return 'say in a sentence why it has to be more than three times as much at once'
  const over = withJump(text, jump).length + 20 - longest
  return over > 0 ? `is ${over} characters too long together with the sentence above` : null
}
