import 'server-only'
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { env } from '@/lib/server/config/env'

/** Three letters and the version of the ciphertext format. The key id follows. */
const ciphertextMagic = Buffer.from('pde\x01')
const keyIdLength = 4
const headerLength = ciphertextMagic.length + keyIdLength
const nonceLength = 12
const authTagLength = 16

/** One key per purpose, so that a leaked key affects only one use. */
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
  const currentKey = toKey(encryption.current)
  const allKeys = [currentKey, ...encryption.previous.map(toKey)]
  // Ciphertexts in the old format contain no key id. Their keys derive from session secrets.
  const legacyKeys = [authSecret, ...encryption.previous].map((secret) => deriveKey(secret, 'seal'))
  return {
    current: currentKey,
    byId: new Map(allKeys.map((key) => [key.id, key])),
    unmarked: legacyKeys,
  }
}

let cachedKeys: EncryptionKeys | undefined

function getKeys(): EncryptionKeys {
  cachedKeys ??= readKeys()
  return cachedKeys
}

/** Reported for ciphertexts in the old format, whose key is derived from an AUTH_SECRET. */
const legacyKeyId = 'auth-secret'

/** `keyId` is the key's id in settings and messages. */
export class UnknownKeyError extends Error {
  readonly keyId: string

  constructor(keyId: string) {
    super(`encrypted under the key ${keyId}, which is not configured`)
    this.name = 'UnknownKey'
    this.keyId = keyId
  }
}

export const isKnownKey = (id: string): boolean => getKeys().byId.has(id)

/** True for a key that the settings declare lost, so that a retry is useless. */
export const isLostKeyError = (error: unknown): boolean =>
  error instanceof UnknownKeyError && env().encryption.lost.includes(error.keyId)

/** Eight hexadecimal digits that reveal nothing about the key. */
export const getCurrentKeyId = (): string => getKeys().current.id

export const readKeyId = (encrypted: Buffer): string =>
  encrypted.subarray(0, ciphertextMagic.length).equals(ciphertextMagic)
    ? encrypted.subarray(ciphertextMagic.length, headerLength).toString('hex')
    : legacyKeyId

/**
 * `aadText` names the row and column, for example `actions/<id>/body`. It is authenticated like the
 * key id, so that a ciphertext copied to another row cannot be decrypted.
 */
export function encrypt(plain: Buffer, aadText: string): Buffer {
  const { id, bytes } = getKeys().current
  const header = Buffer.concat([ciphertextMagic, Buffer.from(id, 'hex')])
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(
    Buffer.concat([header, Buffer.from(aadText)]),
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

function decryptLegacy(encrypted: Buffer, aadText: string): Buffer | null {
  for (const key of getKeys().unmarked) {
    try {
      return decryptWith(key, encrypted, Buffer.from(aadText))
    } catch {
      // This key did not encrypt it. A ciphertext in the old format contains no key id, so each key
      // is tried.
    }
  }
  return null
}

/**
 * Throws `UnknownKeyError` if the key is not configured, and a plain error if the bytes were
 * changed or belong to another row or column.
 */
export function decrypt(encrypted: Buffer, aadText: string): Buffer {
  const id = readKeyId(encrypted)
  const key = getKeys().byId.get(id)
  if (key) {
    const encryptedHeader = encrypted.subarray(0, headerLength)
    return decryptWith(
      key.bytes,
      encrypted.subarray(headerLength),
      Buffer.concat([encryptedHeader, Buffer.from(aadText)]),
    )
  }
  const plaintext = id === legacyKeyId ? decryptLegacy(encrypted, aadText) : null
  if (plaintext) return plaintext
  throw new UnknownKeyError(id)
}
