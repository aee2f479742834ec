import * as z from 'zod'

/** Any 8-4-4-4-12 id, lower-cased: what the service calls a UUID, and safe in a path by its alphabet. */
export const id = z.guid('must be a UUID, like 018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f').transform((value) => value.toLowerCase())

/** A text the service may leave out or send as null. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined)

/** An object the service may leave out or send as null. */
export const maybe = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined)

/** An amount as the service wrote it, kept as text; `minorUnits` in `lib/money` reads it. String or number (interface document, "Payout"). */
export const amount = z.union([z.string(), z.number()]).transform(String)

/** A timestamp made strict: the provider sends some without a zone, which then mean UTC (provider facts 5). */
export const timestamp = z.string().transform((value) => (/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`))

/** An optional timestamp. */
export const maybeTimestamp = timestamp.nullish().transform((value) => value ?? undefined)

/** A flag the service may leave out; absent reads as unknown, never as false. */
export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? undefined)

/** Client-supplied key-value pairs. */
export const metadata = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => Object.fromEntries(Object.entries(value ?? {}).map(([key, entry]) => [key, String(entry)])))

function maskEmail(value: string): string {
  const at = value.lastIndexOf('@')
  return `${value.slice(0, 1)}•••${at < 0 ? '' : value.slice(at)}`
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
export const words = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? [])

/** A number the service may leave out or send as null. */
export const maybeNumber = z
  .number()
  .nullish()
  .transform((value) => value ?? undefined)

/** An id the service may leave out or send as null. */
export const maybeId = z
  .guid()
  .nullish()
  .transform((value) => value?.toLowerCase())

/** An amount the service may leave out or send as null. */
export const maybeAmount = amount.nullish().transform((value) => value ?? undefined)

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
export const customerDetails = z
  .object({ id, name: text, customer_type: text, email: maskedEmail, phone: maskedPhone })
  .nullish()
  .transform((value) => value ?? undefined)

/** The bank account behind a payment: a masked label, never the token. */
export const paykeyDetails = z
  .object({ id, customer_id: text, label: text, balance: amount.nullish().transform((value) => value ?? undefined) })
  .nullish()
  .transform((value) => value ?? undefined)

/** Why something is in its state (interface document, `status_details`). Open words: unknown ones pass as they are. */
export const statusDetails = z
  .object({ message: text, reason: text, source: text, code: text, changed_at: maybeTimestamp })
  .nullish()
  .transform((value) => value ?? undefined)

/** One entry of a status history, oldest first on the wire. */
export const statusHistory = z
  .array(z.object({ status: z.string(), message: text, reason: text, source: text, code: text, changed_at: maybeTimestamp }))
  .nullish()
  .transform((value) => value ?? [])

/** An uploaded document; its bytes cannot be read back through the service. */
export const documents = z
  .array(
    z.object({
      document_id: id,
      document_name: text,
      document_type: text,
      document_size: z.number().nullish(),
      uploaded_at: maybeTimestamp,
    }),
  )
  .nullish()
  .transform((value) => value ?? [])

/** Payments that belong to this one: the original, a resubmit or a refund. */
export const relatedPayments = z
  .array(z.object({ id, relationship: z.string(), payment_type: z.string() }))
  .nullish()
  .transform((value) => value ?? [])

/** A map of trace ids by the party that gave them. */
export const traceIds = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => Object.fromEntries(Object.entries(value ?? {}).map(([key, entry]) => [key, String(entry)])))

/** Ids of the funding events a payment is part of. */
export const fundingIds = z
  .array(id)
  .nullish()
  .transform((value) => value ?? [])
