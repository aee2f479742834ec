import 'server-only'
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { env } from './env'

const keys = new Map<string, Buffer>()

/** One secret in the configuration, one key per purpose: a leak of one use opens no other. */
function keyFor(purpose: string): Buffer {
  const known = keys.get(purpose)
  if (known) return known
  const key = Buffer.from(hkdfSync('sha256', env().authSecret, 'paydesk', purpose, 32))
  keys.set(purpose, key)
  return key
}

/**
 * Encrypts bytes that hold personal data for the store (AES-256-GCM). `place` names the row and is bound to the result, so a sealed value
 * copied into another row does not open.
 */
export function seal(plain: Buffer, place: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor('seal'), nonce).setAAD(Buffer.from(place))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Opens what `seal` made for the same place. Throws when the bytes, the place or the secret differ. */
export function unseal(sealed: Buffer, place: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', keyFor('seal'), sealed.subarray(0, 12)).setAAD(Buffer.from(place))
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
}

/** A keyed hash (hex) that stands for a personal value where only equality matters, as in audit rows and limits. */
export const pseudonym = (value: string): string => createHmac('sha256', keyFor('pseudonym')).update(value).digest('hex')

/** SHA-256 in hex. */
export const sha256 = (value: string | Buffer): string => createHash('sha256').update(value).digest('hex')
