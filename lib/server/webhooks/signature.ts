import 'server-only'
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Maximum difference between the delivery's timestamp and our clock (provider facts 4.3). */
const timestampToleranceSeconds = 300

/** Maximum number of signatures that are checked. A service that rotates its secret sends two. */
const maxSignatures = 8

const signatureBytes = 32

/** See Standard Webhooks. `sentAt` is unparsed text, because the signature covers the text. */
export type DeliveryHeaders = { id: string; sentAt: string; signatures: readonly Buffer[] }

const parseSignatures = (text: string): Buffer[] =>
  text
    .split(' ', maxSignatures)
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice(3), 'base64'))
    .filter(({ length }) => length === signatureBytes)

/** Null if a header is missing or malformed. */
export function parseDeliveryHeaders(headers: Headers): DeliveryHeaders | null {
  const headerPrefix = headers.has('webhook-id') ? 'webhook' : 'svix'
  const [id, sentAt, signature] = ['id', 'timestamp', 'signature'].map(
    (name) => headers.get(`${headerPrefix}-${name}`) ?? '',
  )
  const signatures = parseSignatures(signature ?? '')
  // The signed text joins its parts with dots, so an id with a dot would be ambiguous.
  if (
    !/^[\w:-]{1,128}$/.test(id ?? '') ||
    !/^\d{1,12}$/.test(sentAt ?? '') ||
    signatures.length === 0
  )
    return null
  return { id: id ?? '', sentAt: sentAt ?? '', signatures }
}

export const isRecent = ({ sentAt }: DeliveryHeaders): boolean =>
  Math.abs(Date.now() / 1000 - Number(sentAt)) <= timestampToleranceSeconds

export function hasValidSignature(
  body: Buffer,
  { id, sentAt, signatures }: DeliveryHeaders,
  secrets: readonly string[],
): boolean {
  const expectedSignatures = secrets.map((secret) =>
    createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
      .update(`${id}.${sentAt}.`)
      .update(body)
      .digest(),
  )
  // Compares all pairs, so that the duration does not show which signature matched.
  return expectedSignatures
    .flatMap((expectedSignature) =>
      signatures.map((signature) => timingSafeEqual(expectedSignature, signature)),
    )
    .includes(true)
}
