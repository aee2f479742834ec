import 'server-only'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { inHashQueue } from './hash-queue'

const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 }
const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key))),
  )

/** A password as the store keeps it: `scrypt$17$<salt>$<key>`, both base64. Throws `unavailable` when too many hashes wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await inHashQueue({ known: true, key: 'new password' }, () => derive(password, salt))
  return `scrypt$17$${salt.toString('base64')}$${key.toString('base64')}`
}

/** A hash that no password fits: checked for unknown people, so that they take as long as known ones. */
export const nobodysHash = `scrypt$17$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`

/** Whether a password fits a kept hash; an unreadable hash fits none. To be asked within the hash queue only. */
export async function passwordFits(password: string, kept: string): Promise<boolean> {
  const [kind, , salt, key] = kept.split('$')
  if (kind !== 'scrypt' || !salt || !key) return false
  const expected = Buffer.from(key, 'base64')
  const actual = await derive(password, Buffer.from(salt, 'base64'))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** Why a new password is not good enough, or null. Twelve characters at least, 128 at most, more than four different ones. */
export function whyWeak(password: string): string | null {
  if (password.length < 12) return 'password: must be at least 12 characters'
  if (password.length > 128) return 'password: must be at most 128 characters'
  return new Set(password).size < 5 ? 'password: use more different characters' : null
}
