import 'server-only'
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { readStoreSettings } from '@/lib/server/config/store-settings'

/** `spki` is DER in base64. `key` is the first 16 hex digits of the SHA-256 of the DER. */
export type PublicKey = { key: string; spki: string }

/** `signature` is in base64; `key` is the id of the key that made it. */
export type Signature = { key: string; signature: string }

const getKeyFilePath = () => path.join(readStoreSettings().dataDir, 'audit-signing-key')

const toPkcs8 = (key: KeyObject): string =>
  key.export({ format: 'der', type: 'pkcs8' }).toString('base64')

/** Two processes that start at once use the file that was written first. */
function readOrCreateKey(): string {
  const keyFilePath = getKeyFilePath()
  try {
    fs.mkdirSync(path.dirname(keyFilePath), { recursive: true })
    fs.writeFileSync(keyFilePath, toPkcs8(generateKeyPairSync('ed25519').privateKey), {
      mode: 0o600,
      flag: 'wx',
    })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
  return fs.readFileSync(keyFilePath, 'utf8').trim()
}

function parsePrivateKey(keyText: string): KeyObject {
  try {
    return createPrivateKey({ key: Buffer.from(keyText, 'base64'), format: 'der', type: 'pkcs8' })
  } catch {
    throw new Error(
      `${getKeyFilePath()} is not readable as a key: what it signed cannot be continued. Look into it before removing it`,
    )
  }
}

const toPublicKey = (publicHalf: KeyObject): PublicKey => {
  const der = publicHalf.export({ format: 'der', type: 'spki' })
  return {
    key: createHash('sha256').update(der).digest('hex').slice(0, 16),
    spki: der.toString('base64'),
  }
}

let cachedTrustedKeys: readonly PublicKey[] | undefined
let cachedKeyPair: { own: KeyObject; shown: PublicKey } | undefined

/**
 * AUDIT_SIGNING_KEY, or a key that is created at first use in the data folder. The key is never in
 * the store: access to the store must not be enough to sign.
 */
function getKeyPair() {
  if (!cachedKeyPair) {
    const privateKey = parsePrivateKey(readStoreSettings().auditSigningKey ?? readOrCreateKey())
    cachedKeyPair = { own: privateKey, shown: toPublicKey(createPublicKey(privateKey)) }
  }
  return cachedKeyPair
}

export const getPublicKey = (): PublicKey => getKeyPair().shown

/** The key in use, and those of AUDIT_SIGNING_KEYS_PREVIOUS. */
export function listTrustedKeys(): readonly PublicKey[] {
  cachedTrustedKeys ??= [
    getPublicKey(),
    ...readStoreSettings().previousAuditKeys.map(parsePreviousKey),
  ]
  return cachedTrustedKeys
}

function parsePreviousKey(spki: string): PublicKey {
  return toPublicKey(
    createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' }),
  )
}

/** The bytes must name the purpose of the signature, so that it is not valid for anything else. */
export function signBytes(bytes: Uint8Array): Signature {
  const { own, shown } = getKeyPair()
  return { key: shown.key, signature: sign(null, bytes, own).toString('base64') }
}

export function isSignatureValid(bytes: Uint8Array, { key, signature }: Signature): boolean {
  const trustedKey = listTrustedKeys().find((each) => each.key === key)
  if (!trustedKey) return false
  const keyObject = createPublicKey({
    key: Buffer.from(trustedKey.spki, 'base64'),
    format: 'der',
    type: 'spki',
  })
  return verify(null, bytes, keyObject, Buffer.from(signature, 'base64'))
}
