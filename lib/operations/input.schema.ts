import * as z from 'zod'
import { oneOf } from './filter.schema'

/** Text of 1 to `max` characters; `what` says what to type when there is none. */
export const textOf = (max: number, what: string) => z.string(what).trim().min(1, what).max(max, `must be at most ${max} characters`)

/** A whole number of cents above zero that fits 32 bits (provider facts 2.19). */
export const cents = z
  .int('must be a whole number of cents')
  .min(1, 'must be more than zero')
  .max(2_147_483_647, 'must be at most 2147483647 cents')

/** A calendar date; whether it may lie in the past is the operation's own matter. */
export const day = z.iso.date('must be a date like 2026-03-31')

/** What stands on a bank statement: up to 80 characters (interface document, "Limits"). */
export const description = textOf(80, 'say what shall stand on the bank statement')

/** The client's own reference. */
export const externalId = textOf(100, 'give it a reference of your own')

const entry = z.string('must be text').min(1, 'must not be empty').max(40, 'must be at most 40 characters')

/** Key-value pairs of our own: at most 20, keys and values 1 to 40 characters; an update replaces all of them (interface document, "Metadata rules"). */
export const metadataInput = z
  .record(entry, entry, 'must be pairs of text')
  .refine((map) => Object.keys(map).length <= 20, 'must have at most 20 keys')
  .optional()

/** The device the customer used; 0.0.0.0 says that there was none (provider facts 1.1). */
export const deviceInput = z.strictObject(
  { ip_address: z.ipv4('must be an IPv4 address, or 0.0.0.0 where no device was present') },
  'say which device was used: its IPv4 address, or 0.0.0.0 where none was present',
)

/** A phone number as E.164 writes it. */
export const phone = z.string('give a phone number').regex(/^\+[1-9]\d{1,14}$/, 'must be + and the country code first, like +15125550100')

/** An e-mail address. */
export const email = z.email('must be an e-mail address').max(254, 'must be at most 254 characters')

/** Two capital letters. */
export const state = z.string('choose a state').regex(/^[A-Z]{2}$/, 'must be two capital letters, like TX')

/** A ZIP code in its short or long form. */
export const zip = z.string('give a ZIP code').regex(/^\d{5}(-\d{4})?$/, 'must be a ZIP code, like 78701 or 78701-1234')

/** A social security number; never kept, never shown again save by an unmasked read. */
export const ssn = z.string('give the social security number').regex(/^\d{3}-\d{2}-\d{4}$/, 'must be written 123-45-6789')

/** An employer identification number. */
export const ein = z.string('give the employer identification number').regex(/^\d{2}-\d{7}$/, 'must be written 12-3456789')

/** The address of a web page. */
export const webPage = z
  .url({ protocol: /^https?$/, error: 'must be a web address that begins with http:// or https://' })
  .max(500, 'must be at most 500 characters')

const weights = [3, 7, 1] as const

/** Whether the ninth digit fits the eight before it: the check of the American Bankers Association, which finds most slips of the hand. */
function fitsCheckDigit(digits: string): boolean {
  const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * (weights[place % 3] ?? 1), 0)
  return sum > 0 && sum % 10 === 0
}

/** A routing number: nine digits whose last one is the check digit. */
export const routingNumber = z
  .string('give the routing number')
  .regex(/^\d{9}$/, { error: 'must be 9 digits', abort: true })
  .refine(fitsCheckDigit, 'is no routing number: one of its digits is wrong')

/** The number of a bank account. */
export const accountNumber = z.string('give the account number').regex(/^\d{4,17}$/, 'must be 4 to 17 digits')

/** How a new customer or paykey is verified; `sandbox_outcome` has an effect in the sandbox only. */
export const verificationConfig = <const O extends readonly [string, ...string[]]>(outcomes: O) =>
  z
    .strictObject({ sandbox_outcome: oneOf(outcomes).optional(), processing_method: oneOf(['inline', 'background', 'skip']).optional() })
    .optional()
