import 'server-only'
import { createHmac, timingSafeEqual } from 'node:crypto'

/** A delivery more than so far from our clock is refused, before or after (seconds, provider facts 4.3). */
const tolerance = 300

/** The most signatures that are looked at; a service that rotates its secret sends two. */
const mostSignatures = 8

const signatureBytes = 32

/** What the headers of a delivery say (Standard Webhooks): its id, when it was sent as it is written, and what signs it. */
export type DeliveryHeaders = { id: string; sentAt: string; signatures: readonly Buffer[] }

const signaturesIn = (text: string): Buffer[] =>
  text
    .split(' ', mostSignatures)
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice(3), 'base64'))
    .filter(({ length }) => length === signatureBytes)

/** The headers under either of their names; null where one of them is missing or not of its form. */
export function deliveryHeaders(headers: Headers): DeliveryHeaders | null {
  const prefix = headers.has('webhook-id') ? 'webhook' : 'svix'
  const [id, sentAt, signature] = ['id', 'timestamp', 'signature'].map((name) => headers.get(`${prefix}-${name}`) ?? '')
  const signatures = signaturesIn(signature ?? '')
  // No dot: what is signed has dots between its parts, and each must be told from the next.
  if (!/^[\w:-]{1,128}$/.test(id ?? '') || !/^\d{1,12}$/.test(sentAt ?? '') || signatures.length === 0) return null
  return { id: id ?? '', sentAt: sentAt ?? '', signatures }
}

/** Whether a delivery was sent at most five minutes ago, or as little ahead of our clock. */
export const isRecent = ({ sentAt }: DeliveryHeaders): boolean => Math.abs(Date.now() / 1000 - Number(sentAt)) <= tolerance

/** Whether one of the secrets made one of the signatures over exactly these bytes. */
export function isSigned(body: Buffer, { id, sentAt, signatures }: DeliveryHeaders, secrets: readonly string[]): boolean {
  const expected = secrets.map((secret) =>
    createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
      .update(`${id}.${sentAt}.`)
      .update(body)
      .digest(),
  )
  // All are compared, whichever fits, so that the time tells nothing.
  return expected.flatMap((own) => signatures.map((signature) => timingSafeEqual(own, signature))).includes(true)
}
