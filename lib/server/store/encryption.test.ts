import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'

const [first, second, session] = ['first-key', 'second-key', 'session-secret'].map((name) => `${name}-0123456789-0123456789-0123456789`)

/** Imports the module like a new process with these settings. */
async function importWithSettings(settings: Record<string, string | undefined>) {
  vi.resetModules()
  for (const name of ['ENCRYPTION_KEY', 'ENCRYPTION_KEY_PREVIOUS', 'ENCRYPTION_KEY_LOST']) vi.stubEnv(name, settings[name] ?? '')
  vi.stubEnv('AUTH_SECRET', settings.AUTH_SECRET ?? session)
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
  const { getCurrentKeyId: currentKeyId, decrypt, encrypt, readKeyId: keyIdOf } = await importWithSettings({ ENCRYPTION_KEY: first })
  const encrypted = encrypt(plaintext, aad)
  expect(decrypt(encrypted, aad)).toEqual(plaintext)
  expect(keyIdOf(encrypted)).toBe(currentKeyId())
  expect(() => decrypt(encrypted, 'actions/2/body')).toThrow(/authenticate/)
  expect(encrypt(plaintext, aad)).not.toEqual(encrypted)
  expect(encrypted.includes(plaintext)).toBe(false)
})

test('changing any bit makes the decryption fail', async () => {
  const { decrypt, encrypt } = await importWithSettings({ ENCRYPTION_KEY: first, ENCRYPTION_KEY_PREVIOUS: second })
  const encrypted = encrypt(plaintext, aad)
  for (let at = 0; at < encrypted.length * 8; at += 1) {
    const changedCiphertext = Buffer.from(encrypted)
    changedCiphertext[at >> 3] = (changedCiphertext[at >> 3] ?? 0) ^ (1 << (at & 7))
    expect(() => decrypt(changedCiphertext, aad), `bit ${at}`).toThrow()
  }
})

describe('after a rotation', () => {
  test('older rows are readable while their key is listed, and new rows use the new key', async () => {
    const moduleBefore = await importWithSettings({ ENCRYPTION_KEY: first })
    const [old, oldId] = [moduleBefore.encrypt(plaintext, aad), moduleBefore.getCurrentKeyId()]
    const moduleAfter = await importWithSettings({ ENCRYPTION_KEY: second, ENCRYPTION_KEY_PREVIOUS: `${session}, ${first}` })
    expect(moduleAfter.decrypt(old, aad)).toEqual(plaintext)
    expect(moduleAfter.readKeyId(old)).toBe(oldId)
    expect(moduleAfter.getCurrentKeyId()).not.toBe(oldId)
    expect(moduleAfter.readKeyId(moduleAfter.encrypt(plaintext, aad))).toBe(moduleAfter.getCurrentKeyId())
    const moduleWithoutKey = await importWithSettings({ ENCRYPTION_KEY: second })
    expect(() => moduleWithoutKey.decrypt(old, aad)).toThrow(expect.objectContaining({ name: 'UnknownKey', keyId: oldId }))
  })

  test('a key is declared lost only by its ID', async () => {
    const before = await importWithSettings({ ENCRYPTION_KEY: first })
    const [old, oldId] = [before.encrypt(plaintext, aad), before.getCurrentKeyId()]
    for (const [lost, given] of [
      [oldId, true],
      ['00000000', false],
    ] as const) {
      const { decrypt, isLostKey } = await importWithSettings({ ENCRYPTION_KEY: second, ENCRYPTION_KEY_LOST: lost })
      try {
        decrypt(old, aad)
        expect.fail('it opened')
      } catch (error) {
        expect(isLostKey(error)).toBe(given)
      }
    }
  })
})

/** Encrypts like versions before ENCRYPTION_KEY: the key is derived from the session secret, and the result contains no key id. */
function encryptLegacy(secret: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, 'paydesk', 'seal', 32))
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(aad))
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

test('rows from before encryption keys are readable with a current or previous session secret', async () => {
  const oldCiphertext = encryptLegacy(session ?? '')
  const moduleWithSameKey = await importWithSettings({ ENCRYPTION_KEY: first })
  expect(moduleWithSameKey.decrypt(oldCiphertext, aad)).toEqual(plaintext)
  expect(() => moduleWithSameKey.decrypt(oldCiphertext, 'actions/2/body')).toThrow()
  const rotatedModule = await importWithSettings({ ENCRYPTION_KEY: first, AUTH_SECRET: second, ENCRYPTION_KEY_PREVIOUS: session })
  expect(rotatedModule.decrypt(oldCiphertext, aad)).toEqual(plaintext)
  const without = await importWithSettings({ ENCRYPTION_KEY: first, AUTH_SECRET: second })
  expect(() => without.decrypt(oldCiphertext, aad)).toThrow(expect.objectContaining({ name: 'UnknownKey', keyId: 'auth-secret' }))
})
