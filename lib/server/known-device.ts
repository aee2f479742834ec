import 'server-only'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { derivedKey } from './encryption'
import { env } from './env'

/** How long a browser counts as known after its last sign-in (seconds): half a year. */
const life = 180 * 24 * 60 * 60

const isSecure = () => env().appOrigin.startsWith('https:')

/** The cookie of a browser somebody has signed in from. It opens nothing: it only stands apart from strangers who try the same address. */
export const deviceCookie = (): string => (isSecure() ? '__Host-paydesk.device' : 'paydesk.device')

const signatureOf = (id: string, issued: string, address: string) =>
  createHmac('sha256', derivedKey(env().authSecret, 'known device')).update(`${id}\n${issued}\n${address}`).digest()

/** A new `Set-Cookie` line for the browser this person just signed in from; each sign-in makes another id. `address` is in small letters. */
export function rememberDevice(address: string): string {
  const id = randomBytes(16).toString('base64url')
  const issued = String(Math.floor(Date.now() / 1000))
  const value = `${id}.${issued}.${signatureOf(id, issued, address).toString('base64url')}`
  const flags = ['Path=/', `Max-Age=${life}`, 'HttpOnly', 'SameSite=Strict', ...(isSecure() ? ['Secure'] : [])]
  return [`${deviceCookie()}=${value}`, ...flags].join('; ')
}

/** The id of the device in a cookie, if it was made here, for this very address, within half a year; null otherwise. */
export function knownDevice(cookie: string | undefined, address: string): string | null {
  const [id = '', issued = '', signature = ''] = cookie?.split('.') ?? []
  const given = Buffer.from(signature, 'base64url')
  const expected = signatureOf(id, issued, address)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return Number(issued) + life > Date.now() / 1000 ? id : null
}
