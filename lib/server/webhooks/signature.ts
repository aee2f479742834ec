import 'server-only'
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Maximum difference from our clock, in seconds (provider facts 4.3). */
const tolerance = 300

/** Maximum signatures checked. A service that rotates its secret sends two. */
const mostSignatures = 8

const signatureBytes = 32

/** The headers of a delivery (Standard Webhooks). `sentAt` is the unparsed text, because it is signed. */
export type DeliveryHeaders = { id: string; sentAt: string; signatures: readonly Buffer[] }

const signaturesIn = (text: string): Buffer[] =>
  text
    .split(' ', mostSignatures)
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice(3), 'base64'))
    .filter(({ length }) => length === signatureBytes)

/** Reads the headers by either name. Null if one is missing or malformed. */
export function deliveryHeaders(headers: Headers): DeliveryHeaders | null {
  const prefix = headers.has('webhook-id') ? 'webhook' : 'svix'
  const [id, sentAt, signature] = ['id', 'timestamp', 'signature'].map((name) => headers.get(`${prefix}-${name}`) ?? '')
  const signatures = signaturesIn(signature ?? '')
  // Dots separate the signed parts, so an id with a dot would be ambiguous.
  if (!/^[\w:-]{1,128}$/.test(id ?? '') || !/^\d{1,12}$/.test(sentAt ?? '') || signatures.length === 0) return null
  return { id: id ?? '', sentAt: sentAt ?? '', signatures }
}

/** True if the delivery was sent within five minutes of our clock, before or after. */
export const isRecent = ({ sentAt }: DeliveryHeaders): boolean => Math.abs(Date.now() / 1000 - Number(sentAt)) <= tolerance

/** True if a signature over these exact bytes matches one of the secrets. */
export function isSigned(body: Buffer, { id, sentAt, signatures }: DeliveryHeaders, secrets: readonly string[]): boolean {
  const expected = secrets.map((secret) =>
    createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
      .update(`${id}.${sentAt}.`)
      .update(body)
      .digest(),
  )
  // Compares all of them, so that the timing reveals nothing.
  return expected.flatMap((own) => signatures.map((signature) => timingSafeEqual(own, signature))).includes(true)
}
