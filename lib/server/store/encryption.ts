import 'server-only'
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { env } from '@/lib/server/config/env'

/** Start of every ciphertext: three letters and the version of the format. The id of the key follows. */
const ciphertextMagic = Buffer.from('pde\x01')
const idBytes = 4
const headBytes = ciphertextMagic.length + idBytes
const nonceBytes = 12
const tagBytes = 16

/** Returns the key for one purpose, derived from a configured secret, so that a leaked key affects only one use. */
export const deriveKey = (secret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, 'paydesk', purpose, 32))

type EncryptionKey = { id: string; bytes: Buffer }
type EncryptionKeys = { current: EncryptionKey; byId: ReadonlyMap<string, EncryptionKey>; unmarked: readonly Buffer[] }

const toKey = (secret: string): EncryptionKey => ({
  id: deriveKey(secret, 'encryption id').subarray(0, idBytes).toString('hex'),
  bytes: deriveKey(secret, 'encryption'),
})

function readKeys(): EncryptionKeys {
  const { authSecret, encryption } = env()
  const current = toKey(encryption.current)
  const allKeys = [current, ...encryption.previous.map(toKey)]
  // Keys of ciphertexts from before ENCRYPTION_KEY. They are derived from the session secret and have no id.
  const legacyKeys = [authSecret, ...encryption.previous].map((secret) => deriveKey(secret, 'seal'))
  return { current, byId: new Map(allKeys.map((key) => [key.id, key])), unmarked: legacyKeys }
}

let cachedKeys: EncryptionKeys | undefined

function getKeys(): EncryptionKeys {
  cachedKeys ??= readKeys()
  return cachedKeys
}

/** The key id of a ciphertext that contains none. Its key is derived from an AUTH_SECRET. */
const legacyKeyId = 'auth-secret'

/** Thrown for a ciphertext whose key is not configured. `keyId` is the key's id in settings and messages. */
export class UnknownKeyError extends Error {
  readonly keyId: string

  constructor(keyId: string) {
    super(`encrypted under the key ${keyId}, which is not configured`)
    this.name = 'UnknownKey'
    this.keyId = keyId
  }
}

export const isKnownKey = (id: string): boolean => getKeys().byId.has(id)

/** True if the error is about a key that the settings declare lost, so that a retry is useless. */
export const isLostKey = (error: unknown): boolean => error instanceof UnknownKeyError && env().encryption.lost.includes(error.keyId)

/** Returns the id of the key for new data: eight hexadecimal digits that reveal nothing about the key. */
export const getCurrentKeyId = (): string => getKeys().current.id

export const readKeyId = (encrypted: Buffer): string =>
  encrypted.subarray(0, ciphertextMagic.length).equals(ciphertextMagic)
    ? encrypted.subarray(ciphertextMagic.length, headBytes).toString('hex')
    : legacyKeyId

/**
 * Encrypts bytes with personal data (AES-256-GCM) with the current key. `place` names the row and column. Place and key id are
 * authenticated, so that a ciphertext copied to another row cannot be decrypted.
 */
export function encrypt(plain: Buffer, place: string): Buffer {
  const { id, bytes } = getKeys().current
  const head = Buffer.concat([ciphertextMagic, Buffer.from(id, 'hex')])
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(Buffer.concat([head, Buffer.from(place)]))
  return Buffer.concat([head, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decryptWith(key: Buffer, encrypted: Buffer, aad: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, nonceBytes)).setAAD(aad)
  decipher.setAuthTag(encrypted.subarray(-tagBytes))
  return Buffer.concat([decipher.update(encrypted.subarray(nonceBytes, -tagBytes)), decipher.final()])
}

function decryptLegacy(encrypted: Buffer, place: string): Buffer | null {
  for (const key of getKeys().unmarked) {
    try {
      return decryptWith(key, encrypted, Buffer.from(place))
    } catch {
      // Another key encrypted it. Ciphertexts of this kind have no key id, so each key is tried.
    }
  }
  return null
}

/** Decrypts a result of `encrypt` for the same place. Throws `UnknownKey`, or a plain error if the bytes or the place differ. */
export function decrypt(encrypted: Buffer, place: string): Buffer {
  const id = readKeyId(encrypted)
  const key = getKeys().byId.get(id)
  if (key) {
    const head = encrypted.subarray(0, headBytes)
    return decryptWith(key.bytes, encrypted.subarray(headBytes), Buffer.concat([head, Buffer.from(place)]))
  }
  const plaintext = id === legacyKeyId ? decryptLegacy(encrypted, place) : null
  if (plaintext) return plaintext
  throw new UnknownKeyError(id)
}
