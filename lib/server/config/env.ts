import 'server-only'
import * as z from 'zod'
import { type SignedConsent, signedConsents } from '@/lib/operations/consents'
import { type Environment, environments } from '@/lib/operations/define'
import { type ListStyle, listStyles } from '@/lib/operations/layout'
import { checkMail, type MailSettings, mailSettings, mailShape } from './mail-settings'
import { parse, type Variables } from './parse'
import { address, apiKey, capabilityRequestsPath, keepDays, listOf, ownMachine, quota, rateLimit, secret } from './setting-forms'
import { checkSso, type SsoSettings, ssoSettings, ssoShape } from './sso-settings'
import { storeShape } from './store-settings'
import { checkTimes, type Times, timesIn, timesShape } from './times'
import { checkWebhooks, type WebhookTrust, webhookShape, webhookTrust } from './webhook-settings'

const logShape = z.object({ LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info') })

const shape = z
  .object({
    ...storeShape.shape,
    SERVICE_SANDBOX_URL: address.optional(),
    SERVICE_SANDBOX_API_KEY: apiKey.optional(),
    SERVICE_PRODUCTION_URL: address.optional(),
    SERVICE_PRODUCTION_API_KEY: apiKey.optional(),
    SERVICE_SANDBOX_BRIDGE_ORIGIN: address.optional(),
    SERVICE_PRODUCTION_BRIDGE_ORIGIN: address.optional(),
    SERVICE_ACCOUNT_HEADER: z
      .string()
      .regex(/^[A-Za-z][A-Za-z-]{2,60}$/, 'must be a header name')
      .default('Service-Account-Id'),
    SERVICE_ACCOUNT_PREFIX: z
      .string()
      .regex(/^[a-z_]{0,12}$/, 'must be a short prefix like acct_')
      .default('acct_'),
    SERVICE_AMOUNT_UNIT: z.enum(['minor', 'major'], 'must be minor or major').default('minor'),
    SERVICE_CAPABILITY_REQUESTS_PATH: capabilityRequestsPath.default('/v1/accounts/capability_requests'),
    SERVICE_LIST_STYLE: z.enum(listStyles, 'must be comma or repeat').default('comma'),
    SERVICE_SIGNED_CONSENT: z.enum(signedConsents, 'must be signed_agreement or signed').default('signed_agreement'),
    ...webhookShape.shape,
    SERVICE_SANDBOX_RATE_LIMIT: rateLimit.default(null),
    SERVICE_PRODUCTION_RATE_LIMIT: rateLimit.default(20),
    MIRROR_SYNC: z.enum(['on', 'off'], 'must be on or off').default('on'),
    MIRROR_KEEP_DAYS: keepDays.optional(),
    PERSON_READS_PER_MINUTE: quota.default(600),
    PERSON_WRITES_PER_HOUR: quota.default(60),
    PERSON_UPLOADS_PER_HOUR: quota.default(20),
    APP_ORIGIN: address,
    TRUSTED_PROXIES: z
      .string()
      .regex(/^[0-9]$/, 'must be how many proxies of yours stand in front, 0 to 9')
      .default('0'),
    DRAIN_SECONDS: z
      .string()
      .regex(/^(1?[0-9]|20)$/, 'must be seconds, 0 to 20')
      .default('0'),
    METRICS_TOKEN: secret.optional(),
    ...mailShape.shape,
    ...ssoShape.shape,
    AUTH_SECRET: secret,
    ENCRYPTION_KEY: secret,
    ENCRYPTION_KEY_PREVIOUS: listOf(secret),
    ENCRYPTION_KEY_LOST: listOf(z.string().regex(/^([0-9a-f]{8}|auth-secret)$/, 'must be ids of keys, as the refused start names them')),
    EMBEDDED_SANDBOX_URL: ownMachine.optional(),
    EMBEDDED_SANDBOX_API_KEY: apiKey.optional(),
    ...logShape.shape,
    ...timesShape.shape,
  })
  .superRefine((value, context) => {
    for (const name of ['SERVICE_SANDBOX', 'SERVICE_PRODUCTION', 'EMBEDDED_SANDBOX'] as const) {
      const url = `${name}_URL` as const
      const key = `${name}_API_KEY` as const
      if ((value[url] === undefined) !== (value[key] === undefined)) {
        context.addIssue({ code: 'custom', path: [value[url] ? key : url], message: 'must be set together with the other of its pair' })
      }
    }
    if (value.ENCRYPTION_KEY === value.AUTH_SECRET) {
      context.addIssue({ code: 'custom', path: ['ENCRYPTION_KEY'], message: 'must be another secret than AUTH_SECRET' })
    }
    if (!value.SERVICE_SANDBOX_URL && !value.SERVICE_PRODUCTION_URL && !value.EMBEDDED_SANDBOX_URL) {
      context.addIssue({ code: 'custom', path: ['SERVICE_SANDBOX_URL'], message: 'no environment is configured' })
    }
  })
  .superRefine((value, context) => {
    if (value.EMBEDDED_SANDBOX_URL) return
    for (const name of ['SERVICE_SANDBOX', 'SERVICE_PRODUCTION'] as const) {
      if (value[`${name}_URL`]) continue
      for (const set of Object.keys(value).filter((each) => each.startsWith(`${name}_WEBHOOK_`)))
        context.addIssue({ code: 'custom', path: [set], message: `must not be set without ${name}_URL` })
    }
  })
  .superRefine(checkWebhooks)
  .superRefine(checkMail)
  .superRefine(checkSso)
  .superRefine(checkTimes)
  .superRefine((value, context) => {
    if (!value.EMBEDDED_SANDBOX_URL) return
    const message = 'must not be set beside the embedded sandbox, whose people have a public password'
    for (const name of Object.keys(value).filter((each) =>
      /^SERVICE_(SANDBOX|PRODUCTION)_(URL|API_KEY|BRIDGE_ORIGIN|WEBHOOK_\w+)$/.test(each),
    ))
      context.addIssue({ code: 'custom', path: [name], message })
  })

/**
 * Where one environment of the payments service is, and the key that opens it. The key is read by the service client, and by the check of a
 * connection, which sends reads alone.
 */
export type ServiceAddress = { url: string; apiKey: string }

/** The server's configuration, parsed. Secrets are in it: pass on single fields, never the whole. */
export type Env = {
  services: Partial<Record<Environment, ServiceAddress>>
  /** Where each environment's hosted bank-connection page comes from: the one origin its pages may frame and hear. */
  bridgeOrigins: Partial<Record<Environment, string>>
  accountHeader: string
  accountPrefix: string
  amountUnit: 'minor' | 'major'
  /** Where capability requests are at the service, from `/v1` on; `{account_id}` stands for the account's UUID. */
  capabilityRequestsPath: string
  /** How a list travels in a query to the service; our own API takes commas whatever this says. */
  listStyle: ListStyle
  /** The service's word for a signed agreement in `consent_type`. */
  signedConsent: SignedConsent
  webhooks: Readonly<Record<Environment, WebhookTrust>>
  /** Requests per second that all instances together may send to each environment; null where the service sets no limit. */
  rateLimits: Readonly<Record<Environment, number | null>>
  /** Whether the mirrors are kept in the background. */
  mirrorSync: boolean
  /** How long payments that wait for nothing are kept; null for always. */
  mirrorKeepDays: number | null
  /** What one person may have the service asked in a minute, and have written in an hour. */
  quotas: Readonly<{ readsPerMinute: number; writesPerHour: number; uploadsPerHour: number }>
  appOrigin: string
  /** How many proxies in front are ours: so many entries at the end of `X-Forwarded-For` can be believed. */
  trustedProxies: number
  /** The time for which a stopping process still answers requests, so that proxies notice its end (seconds). */
  drainSeconds: number
  /** What whoever reads the metrics has to show; null where nobody may. */
  metricsToken: string | null
  /** The mail server one-time links go out by; null where there is none. */
  mail: MailSettings | null
  /** Where people sign in without a password of Paydesk's; null where they cannot. */
  sso: SsoSettings | null
  authSecret: string
  /** The secret new rows are encrypted under, those that older rows may still need, and the ids of keys that are given up. */
  encryption: { current: string; previous: readonly string[]; lost: readonly string[] }
  /** The embedded sandbox runs beside us and is the only environment: the demo people exist. */
  embedded: boolean
}

/**
 * Parses the environment variables. Throws one Error whose lines each name a variable and what it must be; values are never repeated.
 * An empty variable counts as not set, save the few that mean something when they are empty.
 */
export function parseEnv(variables: Variables): Env {
  const value = parse(shape, variables)
  const service = (url?: string, key?: string): ServiceAddress | undefined => (url && key ? { url, apiKey: key } : undefined)
  // Unless somebody says otherwise, the page is served where the service is.
  const bridge = (given?: string, url?: string) => (given || url ? new URL(given ?? url ?? '').origin : undefined)
  const embedded = service(value.EMBEDDED_SANDBOX_URL, value.EMBEDDED_SANDBOX_API_KEY)
  const sandbox = embedded ?? service(value.SERVICE_SANDBOX_URL, value.SERVICE_SANDBOX_API_KEY)
  return {
    services: {
      sandbox,
      production: service(value.SERVICE_PRODUCTION_URL, value.SERVICE_PRODUCTION_API_KEY),
    },
    bridgeOrigins: {
      sandbox: bridge(value.SERVICE_SANDBOX_BRIDGE_ORIGIN, sandbox?.url),
      production: bridge(value.SERVICE_PRODUCTION_BRIDGE_ORIGIN, value.SERVICE_PRODUCTION_URL),
    },
    accountHeader: value.SERVICE_ACCOUNT_HEADER,
    accountPrefix: value.SERVICE_ACCOUNT_PREFIX,
    amountUnit: value.SERVICE_AMOUNT_UNIT,
    capabilityRequestsPath: value.SERVICE_CAPABILITY_REQUESTS_PATH,
    listStyle: value.SERVICE_LIST_STYLE,
    signedConsent: value.SERVICE_SIGNED_CONSENT,
    webhooks: webhookTrust(value),
    rateLimits: { sandbox: value.SERVICE_SANDBOX_RATE_LIMIT, production: value.SERVICE_PRODUCTION_RATE_LIMIT },
    mirrorSync: value.MIRROR_SYNC === 'on',
    mirrorKeepDays: value.MIRROR_KEEP_DAYS ?? null,
    quotas: {
      readsPerMinute: value.PERSON_READS_PER_MINUTE,
      writesPerHour: value.PERSON_WRITES_PER_HOUR,
      uploadsPerHour: value.PERSON_UPLOADS_PER_HOUR,
    },
    appOrigin: new URL(value.APP_ORIGIN).origin,
    trustedProxies: Number(value.TRUSTED_PROXIES),
    drainSeconds: Number(value.DRAIN_SECONDS),
    metricsToken: value.METRICS_TOKEN ?? null,
    mail: mailSettings(value),
    sso: ssoSettings(value),
    authSecret: value.AUTH_SECRET,
    encryption: { current: value.ENCRYPTION_KEY, previous: value.ENCRYPTION_KEY_PREVIOUS, lost: value.ENCRYPTION_KEY_LOST },
    embedded: embedded !== undefined,
  }
}

let cached: Env | undefined

/** The configuration of this process, parsed at first use. Throws as `parseEnv` does. */
export function env(): Env {
  cached ??= parseEnv(process.env)
  return cached
}

let cachedTimes: Times | undefined

/** The times of this process. Throws as `parseEnv` does. */
export function times(): Times {
  cachedTimes ??= timesIn(process.env)
  return cachedTimes
}

/** What the identity provider is called that people can sign in at; null where there is none. */
export const ssoName = (): string | null => env().sso?.name ?? null

/** The least level of lines that are logged. */
export const logLevel = (): string => parse(logShape, process.env).LOG_LEVEL

/** The environments that are configured, in their fixed order. An environment without a key is not offered. */
export const configuredEnvironments = (): Environment[] => environments.filter((name) => env().services[name] !== undefined)

/** Says to next-auth, which reads a variable of its own, under which address people reach the dashboard. */
export function tellNextAuth(): void {
  process.env.NEXTAUTH_URL = env().appOrigin
}

/** Sets the folder of the pages to serve, for `next.config.mjs`. */
export function tellNext(pages: string): void {
  process.env.PAGES_FOLDER = pages
}
