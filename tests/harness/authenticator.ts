import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const cborText = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)])
const cborBytes = (bytes: Buffer) => Buffer.concat([Buffer.from([0x58, bytes.length]), bytes])
const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Flags in an authenticator's response: user present, user verified, and public key included. */
const flags = { present: 0x01, verified: 0x04, withKey: 0x40 }

type AssertionOptions = { origin?: string; verified?: boolean; counter?: number }

/** Returns a software authenticator with one key (ES256). Its responses follow WebAuthn level 2. `origin` is the origin of the page. */
export function createAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const rpIdHash = sha256(new URL(origin).hostname)
  let signCount = 0
  const encodeClientData = (type: 'create' | 'get', challenge: string, at: string) =>
    Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin: at, crossOrigin: false }))
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key', clientExtensionResults: {} }
  return {
    /** Returns the response to an enrollment's challenge. */
    create: (challenge: string) => {
      const encodeCoordinate = (value: string) => cborBytes(Buffer.from(value, 'base64url'))
      // The start of the key in CBOR: a map with kty EC2, alg ES256, crv P-256, then x and y.
      const coseHead = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21])
      const coseKey = Buffer.concat([coseHead, encodeCoordinate(x), Buffer.from([0x22]), encodeCoordinate(y)])
      const flagByte = Buffer.from([flags.present | flags.verified | flags.withKey])
      const data = Buffer.concat([rpIdHash, flagByte, uint32(signCount), Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey])
      const attestation = [
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(data),
      ]
      return {
        ...credential,
        response: {
          clientDataJSON: encodeClientData('create', challenge, origin).toString('base64url'),
          attestationObject: Buffer.concat(attestation).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** Returns the response to a step-up challenge. Increments the counter, unless `counter` is given. */
    get: (challenge: string, { origin: at = origin, verified = true, counter }: AssertionOptions = {}) => {
      signCount += 1
      const client = encodeClientData('get', challenge, at)
      const flagByte = Buffer.from([flags.present | (verified ? flags.verified : 0)])
      const data = Buffer.concat([rpIdHash, flagByte, uint32(counter ?? signCount)])
      return {
        ...credential,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
        },
      }
    },
  }
}
