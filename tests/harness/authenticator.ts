import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const hashSha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const encodeCborText = (word: string) =>
  Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)])
const encodeCborBytes = (bytes: Buffer) => Buffer.concat([Buffer.from([0x58, bytes.length]), bytes])
const encodeUint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/**
 * Flags in the authenticator data of WebAuthn: user present, user verified, and public key
 * included.
 */
const authenticatorFlags = { present: 0x01, verified: 0x04, withKey: 0x40 }

type AssertionOptions = { origin?: string; verified?: boolean; counter?: number }

const encodeClientData = (type: 'create' | 'get', challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }))

/** Returns a public key (ES256) in CBOR. `x` and `y` are its coordinates in base64url. */
function encodePublicKey(x: string, y: string): Buffer {
  const encodeCoordinate = (value: string) => encodeCborBytes(Buffer.from(value, 'base64url'))
  // A map of five entries with kty EC2, alg ES256 and crv P-256, and the label of x.
  const coseHead = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21])
  return Buffer.concat([coseHead, encodeCoordinate(x), Buffer.from([0x22]), encodeCoordinate(y)])
}

type NewCredential = { rpIdHash: Buffer; signCount: number; credentialId: Buffer; coseKey: Buffer }

/** Returns the attestation object of a new credential, with the format `none`, in CBOR. */
function encodeAttestation({ rpIdHash, signCount, credentialId, coseKey }: NewCredential): Buffer {
  const flagByte = Buffer.from([
    authenticatorFlags.present | authenticatorFlags.verified | authenticatorFlags.withKey,
  ])
  const authenticatorData = Buffer.concat([
    rpIdHash,
    flagByte,
    encodeUint32(signCount),
    Buffer.alloc(16),
    Buffer.from([0, credentialId.length]),
    credentialId,
    coseKey,
  ])
  return Buffer.concat([
    Buffer.from([0xa3]),
    encodeCborText('fmt'),
    encodeCborText('none'),
    encodeCborText('attStmt'),
    Buffer.from([0xa0]),
    encodeCborText('authData'),
    encodeCborBytes(authenticatorData),
  ])
}

/**
 * Returns a software authenticator with one key (ES256). Its responses follow WebAuthn level 2.
 * `origin` is the origin of the page.
 */
export function createAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coseKey = encodePublicKey(x, y)
  const credentialId = randomBytes(16)
  const rpIdHash = hashSha256(new URL(origin).hostname)
  let signCount = 0
  const credential = {
    id: credentialId.toString('base64url'),
    rawId: credentialId.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
  }
  return {
    /** Returns the response to the challenge of an enrollment. It contains the public key. */
    create: (challenge: string) => {
      const attestation = encodeAttestation({ rpIdHash, signCount, credentialId, coseKey })
      return {
        ...credential,
        response: {
          clientDataJSON: encodeClientData('create', challenge, origin).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /**
     * Returns the signed response to a step-up challenge. It contains `counter`, by default the
     * number of responses so far.
     */
    get: (
      challenge: string,
      { origin: at = origin, verified = true, counter }: AssertionOptions = {},
    ) => {
      signCount += 1
      const clientData = encodeClientData('get', challenge, at)
      const flagByte = Buffer.from([
        authenticatorFlags.present | (verified ? authenticatorFlags.verified : 0),
      ])
      const signedData = Buffer.concat([rpIdHash, flagByte, encodeUint32(counter ?? signCount)])
      return {
        ...credential,
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: signedData.toString('base64url'),
          signature: sign(
            'sha256',
            Buffer.concat([signedData, hashSha256(clientData)]),
            privateKey,
          ).toString('base64url'),
        },
      }
    },
  }
}
