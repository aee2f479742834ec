import * as z from 'zod'
import { isDay } from '@/lib/dates'

/** Any 8-4-4-4-12 id, lower-cased: what the service calls a UUID, and safe in a path by its alphabet. */
export const id = z.guid('must be a UUID, like 018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f').transform((value) => value.toLowerCase())

/** The input of an operation that needs no more than the object. */
export const one = z.strictObject({ id })

const plainText = z.union([z.string(), z.number(), z.boolean()]).transform(String)

/** A text the service may leave out or send as null. A bare number is its text. */
export const text = plainText.nullish().transform((value) => value ?? undefined)

/** A text every object has, such as its name; where the service leaves it out it is empty. */
export const someText = text.transform((value) => value ?? '')

/** The longest word of an enumeration that is shown as one, in characters. */
const longestWord = 80

/** A word of an enumeration, known or not. Every object has one, so where the service leaves it out it is an empty text, which no rule knows. */
export const word = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().max(longestWord))
  .nullish()
  .transform((value) => value ?? '')

/** An object the service may leave out or send as null. */
export const maybe = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined)

/** An array the service may leave out or send as null: empty then. */
export const listOf = <S extends z.ZodType>(item: S) =>
  z
    .array(item)
    .nullish()
    .transform((value) => value ?? [])

const anAmount = z
  .union([z.string(), z.number()])
  .transform((value) => String(value).trim())
  .pipe(z.string().regex(/^[-+]?\d[\d.,]{0,30}$/))

/**
 * An amount as the service wrote it, kept as text; `minorUnits` in `lib/money` reads it. String or number (interface document, "Payout"); an empty
 * text where there is none, which is no amount.
 */
export const amount = anAmount.nullish().transform((value) => value ?? '')

/** The provider sends some timestamps without a zone, which then mean UTC, and some with a space (provider facts 5). */
function zoned(value: string): string {
  const iso = value.trim().replace(/^(\d{4}-\d\d-\d\d) /, '$1T')
  return /(Z|[+-]\d\d:?\d\d)$/i.test(iso) || !iso.includes('T') ? iso : `${iso}Z`
}

const aTimestamp = z
  .string()
  .transform(zoned)
  .refine((value) => /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value)))

/** A timestamp made strict; an empty text where there is none. */
export const timestamp = aTimestamp.nullish().transform((value) => value ?? '')

/** An optional timestamp. An empty one says no more than none. */
export const maybeTimestamp = z
  .union([z.literal('').transform(() => undefined), aTimestamp])
  .nullish()
  .transform((value) => value ?? undefined)

/** A calendar date the service may leave out, `2026-03-31`; of a moment its day is read. What is no date of the calendar cannot be counted with. */
export const maybeDay = z
  .union([
    z.literal('').transform(() => undefined),
    z
      .string()
      .transform((value) => value.trim().replace(/T.*$/, ''))
      .refine(isDay),
  ])
  .nullish()
  .transform((value) => value ?? undefined)

/** A flag the service may leave out; absent reads as unknown, never as false. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')])
  .nullish()
  .transform((value) => value ?? undefined)

const entries = z
  .record(z.string(), plainText.nullable())
  .nullish()
  .transform((value) => Object.fromEntries(Object.entries(value ?? {}).map(([key, entry]) => [key, entry ?? ''])))

export const metadata = entries

function maskEmail(value: string): string {
  const at = value.lastIndexOf('@')
  // A character, not half of one: what is cut in a pair cannot be hashed.
  return `${/^./su.exec(value)?.[0] ?? ''}•••${at < 0 ? '' : value.slice(at)}`
}

function maskPhone(value: string): string {
  const digits = value.replace(/\D/g, '')
  return digits.length > 6 ? `••• ${digits.slice(-4)}` : '•••'
}

/** An e-mail with all but its first letter and domain hidden: contact data is revealed by its own audited act only. An empty one stays empty. */
export const maskedEmail = text.transform((value) => (value ? maskEmail(value) : value))

/** A phone number with only its last four digits left. An empty one stays empty. */
export const maskedPhone = text.transform((value) => (value ? maskPhone(value) : value))

/** An account number with only its last four digits left, whatever the service sent. */
export const lastFour = text.transform((value) => (value === undefined ? undefined : `••••${value.replace(/\D/g, '').slice(-4)}`))

/** A value no ordinary read shows: the mask stands for it, whatever the service sent, so that a lapse of the service's own mask ends here. */
export const hidden = (mask: string) => text.transform((value) => (value ? mask : undefined))

/** Plain words the service may leave out: empty then. */
export const words = listOf(plainText)

const numeric = z
  .string()
  .regex(/^-?\d{1,15}(\.\d{1,10})?$/)
  .transform(Number)

/** A number the service may leave out or send as null; a text that is one counts. */
export const maybeNumber = z
  .union([z.number(), numeric])
  .nullish()
  .transform((value) => value ?? undefined)

/** An id the service may leave out or send as null. */
export const maybeId = z
  .guid()
  .nullish()
  .transform((value) => value?.toLowerCase())

/** An amount the service may leave out or send as null. */
export const maybeAmount = anAmount.nullish().transform((value) => value ?? undefined)

/** Why an account, a representative or a linked bank account is in its state (provider facts 2.13). Open words. */
export const statusDetail = maybe(z.object({ reason: text, source: text, code: text, message: text }))

/** What an address says of a device: `0.0.0.0` is the provider's word for none (provider facts 1.1), and a masked one says nothing. */
const isOffline = (address: string | undefined): boolean | undefined =>
  address === undefined || address.includes('*') ? undefined : address === '0.0.0.0'

/** A device: whether none was present, undefined where the service masks it; the address itself stays behind. */
export const device = maybe(z.object({ ip_address: text })).transform((value) =>
  value ? { offline: isOffline(value.ip_address) } : undefined,
)

/** Who a payment goes to or comes from, masked. */
export const customerDetails = maybe(z.object({ id: maybeId, name: text, customer_type: text, email: maskedEmail, phone: maskedPhone }))

/** The bank account behind a payment: a masked label, never the token. */
export const paykeyDetails = maybe(z.object({ id: maybeId, customer_id: maybeId, label: text, balance: maybeAmount }))

const why = { message: text, reason: text, source: text, code: text, changed_at: maybeTimestamp }

/** Why something is in its state (interface document, `status_details`). Open words: unknown ones pass as they are. */
export const statusDetails = maybe(z.object(why))

/** One entry of a status history, oldest first on the wire. */
export const statusHistory = listOf(z.object({ status: word, ...why }))

/** An uploaded document; its bytes cannot be read back through the service. */
export const documents = listOf(
  z.object({ document_id: word, document_name: text, document_type: text, document_size: maybeNumber, uploaded_at: maybeTimestamp }),
)

/**
 * Payments that belong to this one: the original, a resubmit or a refund. A list in the interface document; the provider's older contract has a map
 * of id to relationship, which says nothing of their type: that is an empty text then.
 */
export const relatedPayments = z
  .union([
    z.array(z.object({ id, relationship: word, payment_type: word })),
    z
      .record(id, word)
      .transform((map) => Object.entries(map).map(([related, relationship]) => ({ id: related, relationship, payment_type: '' }))),
  ])
  .nullish()
  .transform((value) => value ?? [])

/** A map of trace ids by the party that gave them. */
export const traceIds = entries

/** Ids of the funding events a payment is part of. */
export const fundingIds = listOf(id)

/** The text of each code that occurs in the evidence, by code. */
export const messages = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => Object.fromEntries(Object.entries(value ?? {}).map(([code, entry]) => [code, String(entry ?? '')])))

/**
 * What one module of a verification found (provider facts 2.9, 2.11). `decision` and `correlation` are open words; scores run from 0 to 1.
 * A high risk score is bad, a high correlation score is good.
 */
export const finding = z.object({
  decision: text,
  codes: words,
  risk_score: maybeNumber,
  correlation_score: maybeNumber,
  correlation: text,
  reason: text,
})

/** Findings by module; one that does not apply, which the service sends as null, is left out, and one we do not know stays. */
export const breakdownOf = <S extends z.ZodType>(module: S) =>
  maybe(z.record(z.string(), module.nullable())).transform(
    (value) =>
      Object.fromEntries(Object.entries(value ?? {}).filter(([, entry]) => entry !== null)) as Record<string, NonNullable<z.output<S>>>,
  )
