import 'server-only'
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { env } from '@/lib/server/config/env'

/** What every ciphertext begins with: three letters, the version of the format, and the id of its key. */
const magic = Buffer.from('pde\x01')
const idBytes = 4
const headBytes = magic.length + idBytes
const nonceBytes = 12
const tagBytes = 16

/** One secret in the configuration, one key per purpose: a leak of one use opens no other. */
export const derivedKey = (secret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, 'paydesk', purpose, 32))

type Key = { id: string; bytes: Buffer }
type Keys = { current: Key; byId: ReadonlyMap<string, Key>; unmarked: readonly Buffer[] }

const keyOf = (secret: string): Key => ({
  id: derivedKey(secret, 'encryption id').subarray(0, idBytes).toString('hex'),
  bytes: derivedKey(secret, 'encryption'),
})

function readKeys(): Keys {
  const { authSecret, encryption } = env()
  const current = keyOf(encryption.current)
  const all = [current, ...encryption.previous.map(keyOf)]
  // Before there were keys of their own, everything was encrypted under one made of the session secret, and nothing said which.
  const unmarked = [authSecret, ...encryption.previous].map((secret) => derivedKey(secret, 'seal'))
  return { current, byId: new Map(all.map((key) => [key.id, key])), unmarked }
}

let cached: Keys | undefined

function keys(): Keys {
  cached ??= readKeys()
  return cached
}

/** What stands for the key of a ciphertext that does not name it: one made of an AUTH_SECRET. */
const unmarkedId = 'auth-secret'

/** A ciphertext whose key is not configured; `keyId` names it as settings and messages do. */
export class UnknownKey extends Error {
  readonly keyId: string

  constructor(keyId: string) {
    super(`encrypted under the key ${keyId}, which is not configured`)
    this.name = 'UnknownKey'
    this.keyId = keyId
  }
}

/** Whether what was encrypted under the key of this id can be decrypted. */
export const isKnownKey = (id: string): boolean => keys().byId.has(id)

/** Whether what was thrown says that bytes are encrypted under a key that the configuration gives up for lost: nothing waits for them. */
export const isLostKey = (error: unknown): boolean => error instanceof UnknownKey && env().encryption.lost.includes(error.keyId)

/** The id of the key that everything new is encrypted under: eight hexadecimal digits that tell nothing about the key. */
export const currentKeyId = (): string => keys().current.id

/** The id of the key a ciphertext was made under. */
export const keyIdOf = (encrypted: Buffer): string =>
  encrypted.subarray(0, magic.length).equals(magic) ? encrypted.subarray(magic.length, headBytes).toString('hex') : unmarkedId

/**
 * Encrypts bytes that hold personal data for the store (AES-256-GCM) under the current key. `place` names the row; it and the key's id are bound to
 * the result, so that a ciphertext copied into another row does not open.
 */
export function encrypt(plain: Buffer, place: string): Buffer {
  const { id, bytes } = keys().current
  const head = Buffer.concat([magic, Buffer.from(id, 'hex')])
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(Buffer.concat([head, Buffer.from(place)]))
  return Buffer.concat([head, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function open(key: Buffer, encrypted: Buffer, aad: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, nonceBytes)).setAAD(aad)
  decipher.setAuthTag(encrypted.subarray(-tagBytes))
  return Buffer.concat([decipher.update(encrypted.subarray(nonceBytes, -tagBytes)), decipher.final()])
}

function openUnmarked(encrypted: Buffer, place: string): Buffer | null {
  for (const key of keys().unmarked) {
    try {
      return open(key, encrypted, Buffer.from(place))
    } catch {
      // Not this one: only trying tells, because these ciphertexts do not name their key.
    }
  }
  return null
}

/** Decrypts what `encrypt` made for the same place. Throws `UnknownKey`, and plainly where the bytes or the place differ. */
export function decrypt(encrypted: Buffer, place: string): Buffer {
  const id = keyIdOf(encrypted)
  const key = keys().byId.get(id)
  if (key) {
    const head = encrypted.subarray(0, headBytes)
    return open(key.bytes, encrypted.subarray(headBytes), Buffer.concat([head, Buffer.from(place)]))
  }
  const plain = id === unmarkedId ? openUnmarked(encrypted, place) : null
  if (plain) return plain
  throw new UnknownKey(id)
}
