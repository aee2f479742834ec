import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'

const [firstKey, secondKey, sessionSecret] = ['first-key', 'second-key', 'session-secret'].map(
  (name) => `${name}-0123456789-0123456789-0123456789`,
)

/** Imports the encryption module again, as a new process with these environment variables would. */
async function importEncryption(settings: Record<string, string | undefined>) {
  vi.resetModules()
  for (const name of ['ENCRYPTION_KEY', 'ENCRYPTION_KEY_PREVIOUS', 'ENCRYPTION_KEY_LOST'])
    vi.stubEnv(name, settings[name] ?? '')
  vi.stubEnv('AUTH_SECRET', settings.AUTH_SECRET ?? sessionSecret)
  return import('./encryption')
}

beforeEach(() => {
  vi.stubEnv('SERVICE_SANDBOX_URL', 'https://api.provider.test')
  vi.stubEnv('SERVICE_SANDBOX_API_KEY', 'key-0123456789-0123456789')
  vi.stubEnv('APP_ORIGIN', 'https://desk.company.test')
  return () => vi.unstubAllEnvs()
})

const aad = 'actions/1/body'
const plaintext = Buffer.from('917-26-4553')

test('encrypted data contains its key ID and can be decrypted in its own place only', async () => {
  const {
    getCurrentKeyId: getNewKeyId,
    decrypt,
    encrypt,
    readKeyId: readCiphertextKeyId,
  } = await importEncryption({ ENCRYPTION_KEY: firstKey })
  const encrypted = encrypt(plaintext, aad)
  expect(decrypt(encrypted, aad)).toEqual(plaintext)
  expect(readCiphertextKeyId(encrypted)).toBe(getNewKeyId())
  expect(() => decrypt(encrypted, 'actions/2/body')).toThrow(/authenticate/)
  expect(encrypt(plaintext, aad)).not.toEqual(encrypted)
  expect(encrypted.includes(plaintext)).toBe(false)
})

test('changing any bit makes the decryption fail', async () => {
  const { decrypt, encrypt } = await importEncryption({
    ENCRYPTION_KEY: firstKey,
    ENCRYPTION_KEY_PREVIOUS: secondKey,
  })
  const encrypted = encrypt(plaintext, aad)
  for (let at = 0; at < encrypted.length * 8; at += 1) {
    const changedCiphertext = Buffer.from(encrypted)
    changedCiphertext[at >> 3] = (changedCiphertext[at >> 3] ?? 0) ^ (1 << (at & 7))
    expect(() => decrypt(changedCiphertext, aad), `bit ${at}`).toThrow()
  }
})

describe('after a rotation', () => {
  test('older rows are readable while their key is listed, and new rows use the new key', async () => {
    const moduleBefore = await importEncryption({ ENCRYPTION_KEY: firstKey })
    const [old, oldKeyId] = [moduleBefore.encrypt(plaintext, aad), moduleBefore.getCurrentKeyId()]
    const moduleAfter = await importEncryption({
      ENCRYPTION_KEY: secondKey,
      ENCRYPTION_KEY_PREVIOUS: `${sessionSecret}, ${firstKey}`,
    })
    expect(moduleAfter.decrypt(old, aad)).toEqual(plaintext)
    expect(moduleAfter.readKeyId(old)).toBe(oldKeyId)
    expect(moduleAfter.getCurrentKeyId()).not.toBe(oldKeyId)
    expect(moduleAfter.readKeyId(moduleAfter.encrypt(plaintext, aad))).toBe(
      moduleAfter.getCurrentKeyId(),
    )
    const moduleWithoutKey = await importEncryption({ ENCRYPTION_KEY: secondKey })
    expect(() => moduleWithoutKey.decrypt(old, aad)).toThrow(
      expect.objectContaining({ name: 'UnknownKey', keyId: oldKeyId }),
    )
  })

  test('a key is declared lost only by its ID', async () => {
    const moduleWithFirstKey = await importEncryption({ ENCRYPTION_KEY: firstKey })
    const [old, oldId] = [
      moduleWithFirstKey.encrypt(plaintext, aad),
      moduleWithFirstKey.getCurrentKeyId(),
    ]
    for (const [lostKeyId, isExpectedLost] of [
      [oldId, true],
      ['00000000', false],
    ] as const) {
      const { decrypt, isLostKeyError: isLostKey } = await importEncryption({
        ENCRYPTION_KEY: secondKey,
        ENCRYPTION_KEY_LOST: lostKeyId,
      })
      try {
        decrypt(old, aad)
        expect.fail('it opened')
      } catch (error) {
        expect(isLostKey(error)).toBe(isExpectedLost)
      }
    }
  })
})

/**
 * Encrypts in the old format: the key is derived from the session secret (AUTH_SECRET), and the
 * ciphertext contains no key id.
 */
function encryptLegacy(secret: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, 'paydesk', 'seal', 32))
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(aad))
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

test('rows from before encryption keys are readable with a current or previous session secret', async () => {
  const oldCiphertext = encryptLegacy(sessionSecret ?? '')
  const moduleWithSameKey = await importEncryption({ ENCRYPTION_KEY: firstKey })
  expect(moduleWithSameKey.decrypt(oldCiphertext, aad)).toEqual(plaintext)
  expect(() => moduleWithSameKey.decrypt(oldCiphertext, 'actions/2/body')).toThrow()
  const rotatedModule = await importEncryption({
    ENCRYPTION_KEY: firstKey,
    AUTH_SECRET: secondKey,
    ENCRYPTION_KEY_PREVIOUS: sessionSecret,
  })
  expect(rotatedModule.decrypt(oldCiphertext, aad)).toEqual(plaintext)
  const moduleWithoutOldSecret = await importEncryption({
    ENCRYPTION_KEY: firstKey,
    AUTH_SECRET: secondKey,
  })
  expect(() => moduleWithoutOldSecret.decrypt(oldCiphertext, aad)).toThrow(
    expect.objectContaining({ name: 'UnknownKey', keyId: 'auth-secret' }),
  )
})
