import * as z from 'zod'
import { isCalendarDate } from '@/lib/dates'

/** Any 8-4-4-4-12 id in lower case, not only a valid UUID. Its characters are safe in a path. */
export const id = z
  .guid('Must be a UUID, like 018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f.')
  .transform((value) => value.toLowerCase())

export const idInput = z.strictObject({ id })

const plainText = z.union([z.string(), z.number(), z.boolean()]).transform(String)

/** The service may omit the text or send null. A bare number is converted to text. */
export const optionalText = plainText.nullish().transform((value) => value ?? undefined)

/** Every object has the text; empty if the service omits it. */
export const textOrEmpty = optionalText.transform((value) => value ?? '')

const maxEnumValueLength = 80

/** Unknown values are accepted. A missing value becomes an empty text, which matches no rule. */
export const openEnumValue = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().max(maxEnumValueLength))
  .nullish()
  .transform((value) => value ?? '')

/** The service may leave the value out or send null. */
export const optionalOf = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform((value) => value ?? undefined)

/** An array that the service leaves out or sends as null becomes empty. */
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
 * An amount as the service wrote it, a string or a number (interface document, "Payout").
 * `toMinorUnits` parses the text. An empty text means that there is no amount.
 */
export const amount = requiredAmount.nullish().transform((value) => value ?? '')

/**
 * Returns a timestamp in ISO form with a zone. The provider sends some timestamps without a zone,
 * which then mean UTC, and some with a space in place of the `T` (provider facts 5).
 */
function toZonedTime(value: string): string {
  const isoTime = value.trim().replace(/^(\d{4}-\d\d-\d\d) /, '$1T')
  return /(Z|[+-]\d\d:?\d\d)$/i.test(isoTime) || !isoTime.includes('T') ? isoTime : `${isoTime}Z`
}

const requiredTimestamp = z
  .string()
  .transform(toZonedTime)
  .refine((value) => /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value)))

/** ISO with a zone; an empty text if the service omits it. */
export const timestamp = requiredTimestamp.nullish().transform((value) => value ?? '')

/** An empty text counts as none. */
export const optionalTimestamp = z
  .union([z.literal('').transform(() => undefined), requiredTimestamp])
  .nullish()
  .transform((value) => value ?? undefined)

/**
 * The time after a "T" or a space is dropped. Dates that do not exist are rejected, because
 * deadlines are computed from them.
 */
export const optionalDay = z
  .union([
    z.literal('').transform(() => undefined),
    z
      .string()
      .transform((value) => value.trim().replace(/[T ].*$/, ''))
      .refine(isCalendarDate),
  ])
  .nullish()
  .transform((value) => value ?? undefined)

/** A missing value is undefined and means unknown, never false. */
export const optionalBoolean = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')])
  .nullish()
  .transform((value) => value ?? undefined)

const textRecord = z
  .record(z.string(), plainText.nullable())
  .nullish()
  .transform((value) =>
    Object.fromEntries(Object.entries(value ?? {}).map(([key, entry]) => [key, entry ?? ''])),
  )

export const metadata = textRecord

function maskEmail(value: string): string {
  const atIndex = value.lastIndexOf('@')
  // The `u` flag keeps a surrogate pair whole: half of it is invalid and cannot be hashed.
  return `${/^./su.exec(value)?.[0] ?? ''}•••${atIndex < 0 ? '' : value.slice(atIndex)}`
}

function maskPhone(value: string): string {
  const digits = value.replace(/\D/g, '')
  return digits.length > 6 ? `••• ${digits.slice(-4)}` : '•••'
}

/** Keeps the first letter and the domain. Only an audited operation returns full contact data. */
export const maskedEmail = optionalText.transform((value) => (value ? maskEmail(value) : value))

/** Keeps only the last four digits. */
export const maskedPhone = optionalText.transform((value) => (value ? maskPhone(value) : value))

/** Keeps only the last four digits, even if the service sent all. */
export const maskedLastFour = optionalText.transform((value) =>
  value === undefined ? undefined : `••••${value.replace(/\D/g, '').slice(-4)}`,
)

/** Always replaced by `mask`, because some service may send the value unmasked. */
export const createMaskedTextSchema = (mask: string) =>
  optionalText.transform((value) => (value ? mask : undefined))

export const textList = listOf(plainText)

const numericText = z
  .string()
  .regex(/^-?\d{1,15}(\.\d{1,10})?$/)
  .transform(Number)

/** Numeric text is converted. */
export const optionalNumber = z
  .union([z.number(), numericText])
  .nullish()
  .transform((value) => value ?? undefined)

export const optionalId = z
  .guid()
  .nullish()
  .transform((value) => value?.toLowerCase())

export const optionalAmount = requiredAmount.nullish().transform((value) => value ?? undefined)

/** The reason for a state (provider facts 2.13). Unknown values are accepted. */
export const stateReason = optionalOf(
  z.object({
    reason: optionalText,
    source: optionalText,
    code: optionalText,
    message: optionalText,
  }),
)

/** The address `0.0.0.0` means that no device was used (provider facts 1.1). */
const isPlaceholderAddress = (address: string | undefined): boolean | undefined =>
  address === undefined || address.includes('*') ? undefined : address === '0.0.0.0'

/** Leaves out the IP address. `offline` is undefined if the service masks it. */
export const deviceOfflineFlag = optionalOf(z.object({ ip_address: optionalText })).transform(
  (value) => (value ? { offline: isPlaceholderAddress(value.ip_address) } : undefined),
)

export const customerDetails = optionalOf(
  z.object({
    id: optionalId,
    name: optionalText,
    customer_type: optionalText,
    email: maskedEmail,
    phone: maskedPhone,
  }),
)

/** `label` is masked, and the payment token is left out. */
export const paykeyDetails = optionalOf(
  z.object({
    id: optionalId,
    customer_id: optionalId,
    label: optionalText,
    balance: optionalAmount,
  }),
)

const statusReasonFields = {
  message: optionalText,
  reason: optionalText,
  source: optionalText,
  code: optionalText,
  changed_at: optionalTimestamp,
}

/** Interface document, `status_details`. Unknown values are accepted. */
export const statusDetails = optionalOf(z.object(statusReasonFields))

/** The service sends the oldest entry first. */
export const statusHistory = listOf(z.object({ status: openEnumValue, ...statusReasonFields }))

/** The bytes of a document cannot be read back through the service. */
export const documents = listOf(
  z.object({
    document_id: openEnumValue,
    document_name: optionalText,
    document_type: optionalText,
    document_size: optionalNumber,
    uploaded_at: optionalTimestamp,
  }),
)

/**
 * The interface document has a list. The provider's older contract has a map of id to relationship
 * without payment types; `payment_type` is then an empty text.
 */
export const relatedPayments = z
  .union([
    z.array(z.object({ id, relationship: openEnumValue, payment_type: openEnumValue })),
    z.record(id, openEnumValue).transform((map) =>
      Object.entries(map).map(([related, relationship]) => ({
        id: related,
        relationship,
        payment_type: '',
      })),
    ),
  ])
  .nullish()
  .transform((value) => value ?? [])

/** Trace ids by the party that assigned them. */
export const traceIds = textRecord

export const fundingIds = listOf(id)

/** Explanations by the codes of a verification result. */
export const codeMessages = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) =>
    Object.fromEntries(
      Object.entries(value ?? {}).map(([code, entry]) => [code, String(entry ?? '')]),
    ),
  )

/**
 * Provider facts 2.9, 2.11. Scores are from 0 to 1: a high risk score is bad, a high correlation
 * score is good.
 */
export const verificationFinding = z.object({
  decision: optionalText,
  codes: textList,
  risk_score: optionalNumber,
  correlation_score: optionalNumber,
  correlation: optionalText,
  reason: optionalText,
})

/** Drops modules that are null, because they do not apply. Keeps unknown modules. */
export const createBreakdownSchema = <S extends z.ZodType>(module: S) =>
  optionalOf(z.record(z.string(), module.nullable())).transform(
    (value) =>
      Object.fromEntries(
        Object.entries(value ?? {}).filter(([, entry]) => entry !== null),
      ) as Record<string, NonNullable<z.output<S>>>,
  )
