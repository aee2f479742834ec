import 'server-only'
import * as z from 'zod'
import { type SignedConsent, signedConsents } from '@/lib/operations/consents'
import { type Environment, environments } from '@/lib/operations/define'
import { type ListStyle, listStyles } from '@/lib/operations/layout'
import { checkMail, type MailSettings, mailShape, toMailSettings } from './mail-settings'
import { parseVariables, type Variables } from './parse'
import {
  apiKeyShape,
  createListShape,
  httpsUrlShape,
  keepDaysShape,
  loopbackUrlShape,
  quotaShape,
  rateLimitShape,
  requestsPathShape,
  secretShape,
} from './setting-forms'
import { checkSso, type SsoSettings, ssoShape, toSsoSettings } from './sso-settings'
import { storeShape } from './store-settings'
import { checkTimes, parseTimes, type Times, timesShape } from './times'
import { checkWebhooks, toWebhookTrust, type WebhookTrust, webhookShape } from './webhook-settings'

const logShape = z.object({
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
})

const envShape = z
  .object({
    ...storeShape.shape,
    SERVICE_SANDBOX_URL: httpsUrlShape.optional(),
    SERVICE_SANDBOX_API_KEY: apiKeyShape.optional(),
    SERVICE_PRODUCTION_URL: httpsUrlShape.optional(),
    SERVICE_PRODUCTION_API_KEY: apiKeyShape.optional(),
    SERVICE_SANDBOX_BRIDGE_ORIGIN: httpsUrlShape.optional(),
    SERVICE_PRODUCTION_BRIDGE_ORIGIN: httpsUrlShape.optional(),
    SERVICE_ACCOUNT_HEADER: z
      .string()
      .regex(/^[A-Za-z][A-Za-z-]{2,60}$/, 'must be a header name')
      .default('Service-Account-Id'),
    SERVICE_ACCOUNT_PREFIX: z
      .string()
      .regex(/^[a-z_]{0,12}$/, 'must be a short prefix like acct_')
      .default('acct_'),
    SERVICE_AMOUNT_UNIT: z.enum(['minor', 'major'], 'must be minor or major').default('minor'),
    SERVICE_CAPABILITY_REQUESTS_PATH: requestsPathShape.default('/v1/accounts/capability_requests'),
    SERVICE_LIST_STYLE: z.enum(listStyles, 'must be comma or repeat').default('comma'),
    SERVICE_SIGNED_CONSENT: z
      .enum(signedConsents, 'must be signed_agreement or signed')
      .default('signed_agreement'),
    ...webhookShape.shape,
    SERVICE_SANDBOX_RATE_LIMIT: rateLimitShape.default(null),
    SERVICE_PRODUCTION_RATE_LIMIT: rateLimitShape.default(20),
    MIRROR_SYNC: z.enum(['on', 'off'], 'must be on or off').default('on'),
    MIRROR_KEEP_DAYS: keepDaysShape.optional(),
    PERSON_READS_PER_MINUTE: quotaShape.default(600),
    PERSON_WRITES_PER_HOUR: quotaShape.default(60),
    PERSON_UPLOADS_PER_HOUR: quotaShape.default(20),
    APP_ORIGIN: httpsUrlShape,
    TRUSTED_PROXIES: z
      .string()
      .regex(/^[0-9]$/, 'must be how many proxies of yours stand in front, 0 to 9')
      .default('0'),
    DRAIN_SECONDS: z
      .string()
      .regex(/^(1?[0-9]|20)$/, 'must be seconds, 0 to 20')
      .default('0'),
    METRICS_TOKEN: secretShape.optional(),
    ...mailShape.shape,
    ...ssoShape.shape,
    AUTH_SECRET: secretShape,
    ENCRYPTION_KEY: secretShape,
    ENCRYPTION_KEY_PREVIOUS: createListShape(secretShape),
    ENCRYPTION_KEY_LOST: createListShape(
      z
        .string()
        .regex(
          /^([0-9a-f]{8}|auth-secret)$/,
          'must be ids of keys, as the refused start names them',
        ),
    ),
    EMBEDDED_SANDBOX_URL: loopbackUrlShape.optional(),
    EMBEDDED_SANDBOX_API_KEY: apiKeyShape.optional(),
    ...logShape.shape,
    ...timesShape.shape,
  })
  .superRefine((value, context) => {
    for (const name of ['SERVICE_SANDBOX', 'SERVICE_PRODUCTION', 'EMBEDDED_SANDBOX'] as const) {
      const url = `${name}_URL` as const
      const key = `${name}_API_KEY` as const
      if ((value[url] === undefined) !== (value[key] === undefined)) {
        context.addIssue({
          code: 'custom',
          path: [value[url] ? key : url],
          message: 'must be set together with the other of its pair',
        })
      }
    }
    if (value.ENCRYPTION_KEY === value.AUTH_SECRET) {
      context.addIssue({
        code: 'custom',
        path: ['ENCRYPTION_KEY'],
        message: 'must be another secret than AUTH_SECRET',
      })
    }
    if (
      !value.SERVICE_SANDBOX_URL &&
      !value.SERVICE_PRODUCTION_URL &&
      !value.EMBEDDED_SANDBOX_URL
    ) {
      context.addIssue({
        code: 'custom',
        path: ['SERVICE_SANDBOX_URL'],
        message: 'no environment is configured',
      })
    }
  })
  .superRefine((value, context) => {
    if (value.EMBEDDED_SANDBOX_URL) return
    for (const name of ['SERVICE_SANDBOX', 'SERVICE_PRODUCTION'] as const) {
      if (value[`${name}_URL`]) continue
      for (const variableName of Object.keys(value).filter((each) =>
        each.startsWith(`${name}_WEBHOOK_`),
      ))
        context.addIssue({
          code: 'custom',
          path: [variableName],
          message: `must not be set without ${name}_URL`,
        })
    }
  })
  .superRefine(checkWebhooks)
  .superRefine(checkMail)
  .superRefine(checkSso)
  .superRefine(checkTimes)
  .superRefine((value, context) => {
    if (!value.EMBEDDED_SANDBOX_URL) return
    const message =
      'must not be set beside the embedded sandbox, whose people have a public password'
    for (const name of Object.keys(value).filter((each) =>
      /^SERVICE_(SANDBOX|PRODUCTION)_(URL|API_KEY|BRIDGE_ORIGIN|WEBHOOK_\w+)$/.test(each),
    ))
      context.addIssue({ code: 'custom', path: [name], message })
  })

/**
 * URL and API key of the service in one environment. Only the service client and the connection
 * check, which only reads, use the API key.
 */
export type ServiceAddress = { url: string; apiKey: string }

/** The parsed configuration. It contains secrets: pass single fields, never the whole object. */
export type Env = {
  services: Partial<Record<Environment, ServiceAddress>>
  /**
   * Origins of the hosted bank-connection pages: the only ones that may be framed and whose
   * messages are accepted.
   */
  bridgeOrigins: Partial<Record<Environment, string>>
  accountHeader: string
  accountPrefix: string
  amountUnit: 'minor' | 'major'
  /**
   * Path of capability requests, starting with `/v1`. `{account_id}` stands for the account's UUID.
   */
  capabilityRequestsPath: string
  /** List format in queries to the service. Our own API always uses commas. */
  listStyle: ListStyle
  /** The value of the service's field `consent_type` for a signed agreement. */
  signedConsent: SignedConsent
  webhooks: Readonly<Record<Environment, WebhookTrust>>
  /**
   * Maximum requests per second of all instances together, per environment. Null if the service has
   * no limit.
   */
  rateLimits: Readonly<Record<Environment, number | null>>
  /** True if the mirror is synchronized in the background. */
  mirrorSync: boolean
  /** Days for which settled payments are kept in the mirror. Null keeps them permanently. */
  mirrorKeepDays: number | null
  /** Limits per person: reads per minute, writes and uploads per hour. */
  quotas: Readonly<{ readsPerMinute: number; writesPerHour: number; uploadsPerHour: number }>
  appOrigin: string
  /** Number of our own proxies. As many entries at the end of `X-Forwarded-For` are trusted. */
  trustedProxies: number
  /**
   * Seconds for which a stopping process still responds to requests, so that proxies can detect the
   * shutdown.
   */
  drainSeconds: number
  /** Token for reading the metrics. Null disables them. */
  metricsToken: string | null
  /** Mail server for one-time links, or null. */
  mail: MailSettings | null
  /** Single sign-on provider, or null. */
  sso: SsoSettings | null
  authSecret: string
  /**
   * The current encryption secret, previous secrets that older rows may need, and the ids of keys
   * that are permanently lost.
   */
  encryption: { current: string; previous: readonly string[]; lost: readonly string[] }
  /** True if the embedded sandbox is the only environment. Then the demo people exist. */
  embedded: boolean
}

/**
 * Parses the environment variables. Throws one Error with a line per wrong variable: its name and
 * requirement, never its value. An empty variable counts as not set, except SERVICE_ACCOUNT_PREFIX.
 */
export function parseEnv(variables: Variables): Env {
  const value = parseVariables(envShape, variables)
  const toServiceAddress = (url?: string, key?: string): ServiceAddress | undefined =>
    url && key ? { url, apiKey: key } : undefined
  // By default, the bank-connection page is at the service's own address.
  const toBridgeOrigin = (bridgeUrl?: string, url?: string) =>
    bridgeUrl || url ? new URL(bridgeUrl ?? url ?? '').origin : undefined
  const embeddedService = toServiceAddress(
    value.EMBEDDED_SANDBOX_URL,
    value.EMBEDDED_SANDBOX_API_KEY,
  )
  const sandboxService =
    embeddedService ?? toServiceAddress(value.SERVICE_SANDBOX_URL, value.SERVICE_SANDBOX_API_KEY)
  return {
    services: {
      sandbox: sandboxService,
      production: toServiceAddress(value.SERVICE_PRODUCTION_URL, value.SERVICE_PRODUCTION_API_KEY),
    },
    bridgeOrigins: {
      sandbox: toBridgeOrigin(value.SERVICE_SANDBOX_BRIDGE_ORIGIN, sandboxService?.url),
      production: toBridgeOrigin(
        value.SERVICE_PRODUCTION_BRIDGE_ORIGIN,
        value.SERVICE_PRODUCTION_URL,
      ),
    },
    accountHeader: value.SERVICE_ACCOUNT_HEADER,
    accountPrefix: value.SERVICE_ACCOUNT_PREFIX,
    amountUnit: value.SERVICE_AMOUNT_UNIT,
    capabilityRequestsPath: value.SERVICE_CAPABILITY_REQUESTS_PATH,
    listStyle: value.SERVICE_LIST_STYLE,
    signedConsent: value.SERVICE_SIGNED_CONSENT,
    webhooks: toWebhookTrust(value),
    rateLimits: {
      sandbox: value.SERVICE_SANDBOX_RATE_LIMIT,
      production: value.SERVICE_PRODUCTION_RATE_LIMIT,
    },
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
    mail: toMailSettings(value),
    sso: toSsoSettings(value),
    authSecret: value.AUTH_SECRET,
    encryption: {
      current: value.ENCRYPTION_KEY,
      previous: value.ENCRYPTION_KEY_PREVIOUS,
      lost: value.ENCRYPTION_KEY_LOST,
    },
    embedded: embeddedService !== undefined,
  }
}

let cachedEnv: Env | undefined

/** Returns the configuration of this process, parsed once. Throws as `parseEnv` does. */
export function env(): Env {
  cachedEnv ??= parseEnv(process.env)
  return cachedEnv
}

let cachedTimes: Times | undefined

/** Returns the times of this process, parsed once. Throws as `parseEnv` does. */
export function times(): Times {
  cachedTimes ??= parseTimes(process.env)
  return cachedTimes
}

/** Returns the display name of the single sign-on provider, or null. */
export const getSsoName = (): string | null => env().sso?.name ?? null

export const getLogLevel = (): string => parseVariables(logShape, process.env).LOG_LEVEL

/** Returns the environments with a service address and an API key, in fixed order. */
export const listConfiguredEnvironments = (): Environment[] =>
  environments.filter((name) => env().services[name] !== undefined)

/** Sets the variable from which next-auth reads the address of the dashboard. */
export function setNextAuthUrl(): void {
  process.env.NEXTAUTH_URL = env().appOrigin
}

/** Sets the variable from which `next.config.mjs` reads the folder of pages. */
export function setPagesFolder(pages: string): void {
  process.env.PAGES_FOLDER = pages
}
