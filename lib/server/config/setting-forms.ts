import 'server-only'
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { parse } from 'pg-connection-string'
import * as z from 'zod'

const localDatabaseHosts = new Set(['127.0.0.1', 'localhost', '::1'])

/** A host that starts with `/` is the folder of a Unix socket. */
const isLocalDatabaseHost = (host: string): boolean =>
  host.startsWith('/') || localDatabaseHosts.has(host)

function parseDatabaseUrl(url: string) {
  try {
    return parse(url)
  } catch {
    return null
  }
}

/**
 * A remote host requires TLS with a verified certificate, because all data of the store passes
 * through this connection. Uses the driver's own parser: for the driver, a parameter such as
 * `?host=` overrides the address, and the last of two equal parameters counts. Only
 * `sslmode=verify-full` is safe. In pg 8, `prefer`, `require` and `verify-ca` mean the same, but in
 * pg 9, and with `uselibpqcompat`, they check less. `no-verify` checks nothing.
 */
export function findDatabaseUrlFault(url: string): string | null {
  const parsedUrl = parseDatabaseUrl(url)
  if (!parsedUrl)
    return 'must be like postgres://user@host/name, and the files it names must be readable'
  // Without a host, the driver uses PGHOST, which is not checked here.
  if (!parsedUrl.host) return 'must name its host, as postgres://user@localhost/name'
  if (isLocalDatabaseHost(parsedUrl.host)) return null
  if ('sslmode' in parsedUrl && parsedUrl.sslmode === 'verify-full') return null
  return 'must end in ?sslmode=verify-full when the host is another machine (with &sslrootcert=FILE for an authority of your own)'
}

/** As `URL` returns them (IPv6 in brackets). */
export const loopbackHostnames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** For a PostgreSQL URL, checks the host to which the driver would connect. */
export function isOnThisMachine(url: string): boolean {
  if (!/^postgres(ql)?:/i.test(url))
    return URL.canParse(url) && loopbackHostnames.has(new URL(url).hostname)
  return isLocalDatabaseHost(parseDatabaseUrl(url)?.host ?? '')
}

/** No trailing slash. Plain http is allowed only for loopback. */
export const httpsUrlShape = z
  .url('must be an address like https://api.example.com')
  .refine(
    (value) =>
      URL.canParse(value) &&
      (new URL(value).protocol === 'https:' || loopbackHostnames.has(new URL(value).hostname)),
    {
      error: 'must begin with https: (plain http: is for loopback only)',
    },
  )
  .transform((value) => value.replace(/\/+$/, ''))

/**
 * The address of the embedded sandbox. It must be on this machine: demo people, whose password is
 * public, can sign in to it.
 */
export const loopbackUrlShape = z
  .url('must be on this machine, like http://127.0.0.1:4010')
  .refine((value) => URL.canParse(value) && loopbackHostnames.has(new URL(value).hostname), {
    error: 'must be on this machine, like http://127.0.0.1:4010',
  })
  .transform((value) => value.replace(/\/+$/, ''))

export const secretShape = z
  .string()
  .min(32, 'must be at least 32 characters')
  .refine(
    (value) => !/changeme|example|your[-_ ]|secretsecret|x{8}/i.test(value),
    'looks like a sample value',
  )

/** Parses a comma-separated list. The list is empty if the variable is not set. */
export const createListShape = (item: z.ZodType<string, string>) =>
  z
    .string()
    .default('')
    .transform((value) => value.split(',').flatMap((word) => word.trim() || []))
    .pipe(z.array(item))

/** Sent in a header, so it must be printable characters without spaces. */
export const apiKeyShape = z
  .string()
  .regex(/^[\x21-\x7e]{20,4096}$/, 'must be the key as the service shows it, without spaces')

/** Requests per second of all instances together; null (`none`) if there is no limit. */
export const rateLimitShape = z
  .string()
  .regex(/^(none|[1-9]\d{0,4})$/, 'must be requests per second, 1 to 99999, or none')
  .transform((value) => (value === 'none' ? null : Number(value)))

export const quotaShape = z
  .string()
  .regex(/^[1-9]\d{0,7}$/, 'must be a whole number, 1 to 99999999')
  .transform(Number)

export const secondsShape = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, 'must be seconds, 1 to 9999')
  .transform(Number)

/** At least 100: limits and charts cover a month, and a bank can return a payment for 60 days. */
export const retentionDaysShape = z
  .string()
  .regex(/^[1-9]\d{2,4}$/, 'must be days, 100 to 99999')
  .transform(Number)

/** 0 keeps no copies. */
export const proofRetentionDaysShape = z
  .string()
  .regex(/^(0|[1-9]\d{0,4})$/, 'must be days, 0 to 99999')
  .transform(Number)

export const capabilityRequestsPathShape = z
  .string()
  .regex(/^\/v1\//, {
    error: 'must begin with /v1/, like /v1/accounts/{account_id}/capability_requests',
    abort: true,
  })
  .refine((value) => !/[{}]/.test(value) || /^[^{}]*\/\{account_id\}(\/[^{}]*)?$/.test(value), {
    error: 'must be a path in which the one placeholder is {account_id}, once and as a whole part',
    abort: true,
  })
  .regex(
    /^(\/([A-Za-z0-9_-]+|\{account_id\}))+$/,
    'must be a plain path of letters, digits, _ and -, without query, dots, spaces or a / at its end',
  )

/** A signing secret in the format of Standard Webhooks: `whsec_` and canonical base64. */
export const webhookSecretShape = z.string().refine((value) => {
  const bytes = Buffer.from(value.replace(/^whsec_/, ''), 'base64')
  return value === `whsec_${bytes.toString('base64')}` && bytes.length >= 24 && bytes.length <= 64
}, 'must be whsec_ and 24 to 64 bytes in base64, as the service shows it')

function isEd25519Key(parseKey: () => KeyObject): boolean {
  try {
    return parseKey().asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}

const decodeBase64 = (text: string) => Buffer.from(text, 'base64')

/** The private key that signs the heads of the audit chain. */
export const signingKeyShape = z
  .string()
  .refine(
    (text) =>
      isEd25519Key(() =>
        createPrivateKey({ key: decodeBase64(text), format: 'der', type: 'pkcs8' }),
      ),
    'must be an Ed25519 key as `openssl genpkey -algorithm ed25519 -outform DER | base64 -w0` makes it',
  )

/** The public key of an earlier signing key, which old signatures still need. */
export const publicKeyShape = z
  .string()
  .refine(
    (text) =>
      isEd25519Key(() => createPublicKey({ key: decodeBase64(text), format: 'der', type: 'spki' })),
    'must be public Ed25519 keys (SPKI in base64, as keys.json of an audit export lists them)',
  )
