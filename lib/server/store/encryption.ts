import 'server-only'
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { env } from '@/lib/server/config/env'

/**
 * Start of every ciphertext in the current format: three letters and the version of the format. The
 * key id follows.
 */
const ciphertextMagic = Buffer.from('pde\x01')
const keyIdLength = 4
const headerLength = ciphertextMagic.length + keyIdLength
const nonceLength = 12
const authTagLength = 16

/**
 * Returns the key for one purpose, derived from a configured secret, so that a leaked key affects
 * only one use.
 */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'paydesk', purpose, 32))

type EncryptionKey = { id: string; bytes: Buffer }
type EncryptionKeys = {
  current: EncryptionKey
  byId: ReadonlyMap<string, EncryptionKey>
  unmarked: readonly Buffer[]
}

const toKey = (secret: string): EncryptionKey => ({
  id: deriveKey(secret, 'encryption id').subarray(0, keyIdLength).toString('hex'),
  bytes: deriveKey(secret, 'encryption'),
})

function readKeys(): EncryptionKeys {
  const { authSecret, encryption } = env()
  const current = toKey(encryption.current)
  const allKeys = [current, ...encryption.previous.map(toKey)]
  // Keys for ciphertexts in the old format, which contain no key id. They are derived from the
  // current or a previous session secret.
  const legacyKeys = [authSecret, ...encryption.previous].map((secret) => deriveKey(secret, 'seal'))
  return { current, byId: new Map(allKeys.map((key) => [key.id, key])), unmarked: legacyKeys }
}

let cachedKeys: EncryptionKeys | undefined

function getKeys(): EncryptionKeys {
  cachedKeys ??= readKeys()
  return cachedKeys
}

/**
 * The key id that is reported for ciphertexts in the old format, which contain none. Their key is
 * derived from an AUTH_SECRET.
 */
const legacyKeyId = 'auth-secret'

/**
 * Thrown for a ciphertext whose key is not configured. `keyId` is the key's id in settings and
 * messages.
 */
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
export const isLostKey = (error: unknown): boolean =>
  error instanceof UnknownKeyError && env().encryption.lost.includes(error.keyId)

/**
 * Returns the id of the key for new data: eight hexadecimal digits that reveal nothing about the
 * key.
 */
export const getCurrentKeyId = (): string => getKeys().current.id

export const readKeyId = (encrypted: Buffer): string =>
  encrypted.subarray(0, ciphertextMagic.length).equals(ciphertextMagic)
    ? encrypted.subarray(ciphertextMagic.length, headerLength).toString('hex')
    : legacyKeyId

/**
 * Encrypts bytes with personal data with the current key (AES-256-GCM). `place` names the row and
 * column, for example `actions/<id>/body`. The place and the key id are authenticated, so that a
 * ciphertext copied to another row cannot be decrypted.
 */
export function encrypt(plain: Buffer, place: string): Buffer {
  const { id, bytes } = getKeys().current
  const header = Buffer.concat([ciphertextMagic, Buffer.from(id, 'hex')])
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(
    Buffer.concat([header, Buffer.from(place)]),
  )
  return Buffer.concat([header, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decryptWith(key: Buffer, encrypted: Buffer, aad: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, nonceLength)).setAAD(
    aad,
  )
  decipher.setAuthTag(encrypted.subarray(-authTagLength))
  return Buffer.concat([
    decipher.update(encrypted.subarray(nonceLength, -authTagLength)),
    decipher.final(),
  ])
}

function decryptLegacy(encrypted: Buffer, place: string): Buffer | null {
  for (const key of getKeys().unmarked) {
    try {
      return decryptWith(key, encrypted, Buffer.from(place))
    } catch {
      // This key did not encrypt it. A ciphertext in the old format contains no key id, so each key
      // is tried.
    }
  }
  return null
}

/**
 * Decrypts a result of `encrypt` for the same place. Throws `UnknownKeyError`, or a plain error if
 * the bytes or the place differ.
 */
export function decrypt(encrypted: Buffer, place: string): Buffer {
  const id = readKeyId(encrypted)
  const key = getKeys().byId.get(id)
  if (key) {
    const head = encrypted.subarray(0, headerLength)
    return decryptWith(
      key.bytes,
      encrypted.subarray(headerLength),
      Buffer.concat([head, Buffer.from(place)]),
    )
  }
  const plaintext = id === legacyKeyId ? decryptLegacy(encrypted, place) : null
  if (plaintext) return plaintext
  throw new UnknownKeyError(id)
}
