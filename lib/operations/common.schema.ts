import * as z from 'zod'
import { isCalendarDate } from '@/lib/dates'

/**
 * Any 8-4-4-4-12 id, converted to lower case. It need not be a valid UUID. It has only hexadecimal
 * digits and dashes: safe in a path.
 */
export const id = z
  .guid('Must be a UUID, like 018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f.')
  .transform((value) => value.toLowerCase())

/** The input of an operation that needs only the object's id. */
export const idInput = z.strictObject({ id })

const plainText = z.union([z.string(), z.number(), z.boolean()]).transform(String)

/** A text the service may omit or send as null. A bare number is converted to text. */
export const optionalText = plainText.nullish().transform((value) => value ?? undefined)

/** A text every object has, such as its name; empty if the service omits it. */
export const textOrEmpty = optionalText.transform((value) => value ?? '')

/** Maximum length of an enumeration word, in characters. */
const maxWordLength = 80

/**
 * A value of an enumeration, such as a status. Unknown values are accepted. If the service omits
 * the value, the result is an empty text, which matches no rule.
 */
export const enumWord = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().max(maxWordLength))
  .nullish()
  .transform((value) => value ?? '')

/** An object the service may leave out or send as null. */
export const maybe = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform((value) => value ?? undefined)

/** An array that the service may leave out or send as null. The result is then an empty array. */
export const listOf = <S extends z.ZodType>(item: S) =>
  z
    .array(item)
    .nullish()
    .transform((value) => value ?? [])

const requiredAmount = z
  .union([z.string(), z.number()])
  .transform((value) => String(value).trim())
  .pipe(z.string().regex(/^[-+]?\d[\d.,]{0,30}$/))

/**
 * An amount as the service wrote it, kept as text. The service sends a string or a number
 * (interface document, "Payout"). `toMinorUnits` in `lib/money` parses the text. An empty text
 * means that there is no amount.
 */
export const amount = requiredAmount.nullish().transform((value) => value ?? '')

/**
 * Returns a timestamp in ISO form with a zone. The provider sends some timestamps without a zone,
 * which then mean UTC, and some with a space in place of the `T` (provider facts 5).
 */
function toZonedTime(value: string): string {
  const iso = value.trim().replace(/^(\d{4}-\d\d-\d\d) /, '$1T')
  return /(Z|[+-]\d\d:?\d\d)$/i.test(iso) || !iso.includes('T') ? iso : `${iso}Z`
}

const requiredTimestamp = z
  .string()
  .transform(toZonedTime)
  .refine((value) => /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value)))

/** A timestamp, converted to ISO with a zone; an empty text if the service omits it. */
export const timestamp = requiredTimestamp.nullish().transform((value) => value ?? '')

/** An optional timestamp. An empty text counts as none. */
export const maybeTimestamp = z
  .union([z.literal('').transform(() => undefined), requiredTimestamp])
  .nullish()
  .transform((value) => value ?? undefined)

/**
 * A calendar date like `2026-03-31` that the service may omit. The time of a timestamp, after a "T"
 * or a space, is dropped. Dates that do not exist are rejected, because deadlines are computed from
 * them.
 */
export const maybeDay = z
  .union([
    z.literal('').transform(() => undefined),
    z
      .string()
      .transform((value) => value.trim().replace(/[T ].*$/, ''))
      .refine(isCalendarDate),
  ])
  .nullish()
  .transform((value) => value ?? undefined)

/**
 * A boolean that the service may omit. A missing value is undefined and means unknown, never false.
 */
export const optionalBoolean = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')])
  .nullish()
  .transform((value) => value ?? undefined)

const textEntries = z
  .record(z.string(), plainText.nullable())
  .nullish()
  .transform((value) =>
    Object.fromEntries(Object.entries(value ?? {}).map(([key, entry]) => [key, entry ?? ''])),
  )

export const metadata = textEntries

function maskEmail(value: string): string {
  const atIndex = value.lastIndexOf('@')
  // The `u` flag keeps a surrogate pair whole: half of it would be invalid text, which cannot be
  // hashed.
  return `${/^./su.exec(value)?.[0] ?? ''}•••${atIndex < 0 ? '' : value.slice(atIndex)}`
}

function maskPhone(value: string): string {
  const digits = value.replace(/\D/g, '')
  return digits.length > 6 ? `••• ${digits.slice(-4)}` : '•••'
}

/**
 * An email address of which only the first letter and the domain remain. Only a separate, audited
 * operation returns full contact data. An empty text stays empty.
 */
export const maskedEmail = optionalText.transform((value) => (value ? maskEmail(value) : value))

/** A phone number of which only the last four digits remain. An empty text stays empty. */
export const maskedPhone = optionalText.transform((value) => (value ? maskPhone(value) : value))

/** An account number with only its last four digits, even if the service sent all. */
export const maskedLastFour = optionalText.transform((value) =>
  value === undefined ? undefined : `••••${value.replace(/\D/g, '').slice(-4)}`,
)

/** A value that is always replaced by `mask`, because some service may send it unmasked. */
export const createMaskedText = (mask: string) =>
  optionalText.transform((value) => (value ? mask : undefined))

/** A list of texts. If the service omits it, the result is an empty list. */
export const textList = listOf(plainText)

const numericText = z
  .string()
  .regex(/^-?\d{1,15}(\.\d{1,10})?$/)
  .transform(Number)

/** A number the service may leave out or send as null. Numeric text is converted. */
export const maybeNumber = z
  .union([z.number(), numericText])
  .nullish()
  .transform((value) => value ?? undefined)

export const maybeId = z
  .guid()
  .nullish()
  .transform((value) => value?.toLowerCase())

export const maybeAmount = requiredAmount.nullish().transform((value) => value ?? undefined)

/**
 * The reason for the state of an account, a representative or a linked bank account (provider facts
 * 2.13). Unknown values are accepted.
 */
export const statusDetail = maybe(
  z.object({
    reason: optionalText,
    source: optionalText,
    code: optionalText,
    message: optionalText,
  }),
)

/**
 * True if no device was used: the provider then sends the IP address `0.0.0.0` (provider facts
 * 1.1). Undefined if the address is absent or masked.
 */
const isOffline = (address: string | undefined): boolean | undefined =>
  address === undefined || address.includes('*') ? undefined : address === '0.0.0.0'

/**
 * A device, without its IP address. `offline` is true if no device was used, and undefined if the
 * service masks the address.
 */
export const device = maybe(z.object({ ip_address: optionalText })).transform((value) =>
  value ? { offline: isOffline(value.ip_address) } : undefined,
)

/** The customer of a payment, with masked contact data. */
export const customerDetails = maybe(
  z.object({
    id: maybeId,
    name: optionalText,
    customer_type: optionalText,
    email: maskedEmail,
    phone: maskedPhone,
  }),
)

/** The bank account of a payment. `label` is masked, and the payment token is left out. */
export const paykeyDetails = maybe(
  z.object({ id: maybeId, customer_id: maybeId, label: optionalText, balance: maybeAmount }),
)

const reasonFields = {
  message: optionalText,
  reason: optionalText,
  source: optionalText,
  code: optionalText,
  changed_at: maybeTimestamp,
}

/**
 * The reason for the state of an object (interface document, `status_details`). Unknown values are
 * accepted.
 */
export const statusDetails = maybe(z.object(reasonFields))

/** A status history. The service sends the oldest entry first. */
export const statusHistory = listOf(z.object({ status: enumWord, ...reasonFields }))

/** An uploaded document; its bytes cannot be read back through the service. */
export const documents = listOf(
  z.object({
    document_id: enumWord,
    document_name: optionalText,
    document_type: optionalText,
    document_size: maybeNumber,
    uploaded_at: maybeTimestamp,
  }),
)

/**
 * Payments related to a payment: its original, a resubmission or a refund. In the interface
 * document, they are a list. In the provider's older contract, they are a map of id to relationship
 * without payment types; `payment_type` is then an empty text.
 */
export const relatedPayments = z
  .union([
    z.array(z.object({ id, relationship: enumWord, payment_type: enumWord })),
    z
      .record(id, enumWord)
      .transform((map) =>
        Object.entries(map).map(([related, relationship]) => ({
          id: related,
          relationship,
          payment_type: '',
        })),
      ),
  ])
  .nullish()
  .transform((value) => value ?? [])

/** Trace ids of a payment, by the party that assigned them. */
export const traceIds = textEntries

/** Ids of the funding events a payment is part of. */
export const fundingIds = listOf(id)

/** The explanations of the codes in a verification result, by code. */
export const codeMessages = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) =>
    Object.fromEntries(
      Object.entries(value ?? {}).map(([code, entry]) => [code, String(entry ?? '')]),
    ),
  )

/**
 * The result of one module of a verification (provider facts 2.9, 2.11). `decision` and
 * `correlation` can have any value. Scores are from 0 to 1: a high risk score is bad, a high
 * correlation score is good.
 */
export const moduleFinding = z.object({
  decision: optionalText,
  codes: textList,
  risk_score: maybeNumber,
  correlation_score: maybeNumber,
  correlation: optionalText,
  reason: optionalText,
})

/**
 * The findings of a verification, by module. Modules that are null, because they do not apply, are
 * left out. Unknown modules are kept.
 */
export const createBreakdown = <S extends z.ZodType>(module: S) =>
  maybe(z.record(z.string(), module.nullable())).transform(
    (value) =>
      Object.fromEntries(
        Object.entries(value ?? {}).filter(([, entry]) => entry !== null),
      ) as Record<string, NonNullable<z.output<S>>>,
  )
