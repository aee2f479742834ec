import 'server-only'
import * as z from 'zod'
import { type SignedConsentType, signedConsentTypes } from '@/lib/operations/consents'
import { type Environment, environments } from '@/lib/operations/define'
import { type QueryListStyle, queryListStyles } from '@/lib/operations/layout'
import { integrationVariables } from './integration'
import { checkMailVariables, type MailSettings, mailShape, toMailSettings } from './mail-settings'
import { parseVariables, type Variables } from './parse'
import {
  apiKeyShape,
  capabilityRequestsPathShape,
  createListShape,
  httpsUrlShape,
  loopbackUrlShape,
  proofRetentionDaysShape,
  quotaShape,
  rateLimitShape,
  retentionDaysShape,
  secretShape,
} from './setting-forms'
import { checkSsoVariables, type SsoSettings, ssoShape, toSsoSettings } from './sso-settings'
import { storeShape } from './store-settings'
import { checkTestTimes, parseTimeSettings, type TimeSettings, testTimesShape } from './times'
import {
  checkWebhookVariables,
  toWebhookSigningSettings,
  type WebhookSigningSettings,
  webhookShape,
} from './webhook-settings'

const logLevelShape = z.object({
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
    ...integrationVariables,
    SERVICE_ACCOUNT_HEADER: z
      .string()
      .regex(/^[A-Za-z][A-Za-z-]{2,60}$/, 'must be a header name')
      .default('Service-Account-Id'),
    SERVICE_ACCOUNT_PREFIX: z
      .string()
      .regex(/^[a-z_]{0,12}$/, 'must be a short prefix like acct_')
      .default('acct_'),
    SERVICE_AMOUNT_UNIT: z.enum(['minor', 'major'], 'must be minor or major').default('minor'),
    SERVICE_CAPABILITY_REQUESTS_PATH: capabilityRequestsPathShape.default(
      '/v1/accounts/capability_requests',
    ),
    SERVICE_LIST_STYLE: z.enum(queryListStyles, 'must be comma or repeat').default('comma'),
    SERVICE_SIGNED_CONSENT: z
      .enum(signedConsentTypes, 'must be signed_agreement or signed')
      .default('signed_agreement'),
    ...webhookShape.shape,
    SERVICE_SANDBOX_RATE_LIMIT: rateLimitShape.default(null),
    SERVICE_PRODUCTION_RATE_LIMIT: rateLimitShape.default(20),
    MIRROR_SYNC: z.enum(['on', 'off'], 'must be on or off').default('on'),
    MIRROR_KEEP_DAYS: retentionDaysShape.optional(),
    PROOF_RETENTION_DAYS: proofRetentionDaysShape.default(730),
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
    ...logLevelShape.shape,
    ...testTimesShape.shape,
  })
  .superRefine((value, context) => {
    for (const name of ['SERVICE_SANDBOX', 'SERVICE_PRODUCTION', 'EMBEDDED_SANDBOX'] as const) {
      const urlVariable = `${name}_URL` as const
      const keyVariable = `${name}_API_KEY` as const
      if ((value[urlVariable] === undefined) !== (value[keyVariable] === undefined)) {
        context.addIssue({
          code: 'custom',
          path: [value[urlVariable] ? keyVariable : urlVariable],
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
  .superRefine(checkWebhookVariables)
  .superRefine(checkMailVariables)
  .superRefine(checkSsoVariables)
  .superRefine(checkTestTimes)
  .superRefine((value, context) => {
    if (!value.EMBEDDED_SANDBOX_URL) return
    const embeddedSandboxConflictText =
      'must not be set beside the embedded sandbox, whose people have a public password'
    for (const name of Object.keys(value).filter((each) =>
      /^SERVICE_(SANDBOX|PRODUCTION)_(URL|API_KEY|BRIDGE_ORIGIN|WEBHOOK_\w+)$/.test(each),
    ))
      context.addIssue({ code: 'custom', path: [name], message: embeddedSandboxConflictText })
  })

/** Only the service client and the connection check, which only reads, use the API key. */
export type ServiceAddress = { url: string; apiKey: string }

/** It contains secrets: pass single fields, never the whole object. */
export type Env = {
  services: Partial<Record<Environment, ServiceAddress>>
  /** Hosted bank-connection pages: only these may be framed and have their messages accepted. */
  bridgeOrigins: Partial<Record<Environment, string>>
  accountHeader: string
  accountPrefix: string
  amountUnit: 'minor' | 'major'
  /** Starts with `/v1`. `{account_id}` stands for the account's UUID. */
  capabilityRequestsPath: string
  /** List format in queries to the service. Our own API always uses commas. */
  listStyle: QueryListStyle
  /** The value of the service's field `consent_type` for a signed agreement. */
  signedConsent: SignedConsentType
  webhooks: Readonly<Record<Environment, WebhookSigningSettings>>
  /** Requests per second of all instances together. Null if the service has no limit. */
  rateLimits: Readonly<Record<Environment, number | null>>
  mirrorSync: boolean
  /** Days for which settled payments are kept in the mirror. Null keeps them permanently. */
  mirrorKeepDays: number | null
  /** Days for which copies of uploaded proofs are kept. 0 keeps none. */
  proofRetentionDays: number
  /** Limits per person. */
  quotas: Readonly<{ readsPerMinute: number; writesPerHour: number; uploadsPerHour: number }>
  appOrigin: string
  /** Number of our own proxies. As many entries at the end of `X-Forwarded-For` are trusted. */
  trustedProxies: number
  /** Seconds for which a stopping process still responds, so that proxies detect the shutdown. */
  drainSeconds: number
  /** Token for reading the metrics. Null disables them. */
  metricsToken: string | null
  mail: MailSettings | null
  sso: SsoSettings | null
  authSecret: string
  /** Older rows may need `previous` secrets. `lost` has the ids of permanently lost keys. */
  encryption: { current: string; previous: readonly string[]; lost: readonly string[] }
  /** True if the embedded sandbox is the only environment. Then the demo people exist. */
  embedded: boolean
}

/**
 * Throws one Error with a line per wrong variable: its name and requirement, never its value. An
 * empty variable counts as not set, except SERVICE_ACCOUNT_PREFIX.
 */
export function parseEnv(variables: Variables): Env {
  const parsedVariables = parseVariables(envShape, variables)
  const toServiceAddress = (url?: string, key?: string): ServiceAddress | undefined =>
    url && key ? { url, apiKey: key } : undefined
  // By default, the bank-connection page is at the service's own address.
  const toBridgeOrigin = (bridgeUrl?: string, url?: string) =>
    bridgeUrl || url ? new URL(bridgeUrl ?? url ?? '').origin : undefined
  const embeddedService = toServiceAddress(
    parsedVariables.EMBEDDED_SANDBOX_URL,
    parsedVariables.EMBEDDED_SANDBOX_API_KEY,
  )
  const sandboxService =
    embeddedService ??
    toServiceAddress(parsedVariables.SERVICE_SANDBOX_URL, parsedVariables.SERVICE_SANDBOX_API_KEY)
  return {
    services: {
      sandbox: sandboxService,
      production: toServiceAddress(
        parsedVariables.SERVICE_PRODUCTION_URL,
        parsedVariables.SERVICE_PRODUCTION_API_KEY,
      ),
    },
    bridgeOrigins: {
      sandbox: toBridgeOrigin(parsedVariables.SERVICE_SANDBOX_BRIDGE_ORIGIN, sandboxService?.url),
      production: toBridgeOrigin(
        parsedVariables.SERVICE_PRODUCTION_BRIDGE_ORIGIN,
        parsedVariables.SERVICE_PRODUCTION_URL,
      ),
    },
    accountHeader: parsedVariables.SERVICE_ACCOUNT_HEADER,
    accountPrefix: parsedVariables.SERVICE_ACCOUNT_PREFIX,
    amountUnit: parsedVariables.SERVICE_AMOUNT_UNIT,
    capabilityRequestsPath: parsedVariables.SERVICE_CAPABILITY_REQUESTS_PATH,
    listStyle: parsedVariables.SERVICE_LIST_STYLE,
    signedConsent: parsedVariables.SERVICE_SIGNED_CONSENT,
    webhooks: toWebhookSigningSettings(parsedVariables),
    rateLimits: {
      sandbox: parsedVariables.SERVICE_SANDBOX_RATE_LIMIT,
      production: parsedVariables.SERVICE_PRODUCTION_RATE_LIMIT,
    },
    mirrorSync: parsedVariables.MIRROR_SYNC === 'on',
    mirrorKeepDays: parsedVariables.MIRROR_KEEP_DAYS ?? null,
    proofRetentionDays: parsedVariables.PROOF_RETENTION_DAYS,
    quotas: {
      readsPerMinute: parsedVariables.PERSON_READS_PER_MINUTE,
      writesPerHour: parsedVariables.PERSON_WRITES_PER_HOUR,
      uploadsPerHour: parsedVariables.PERSON_UPLOADS_PER_HOUR,
    },
    appOrigin: new URL(parsedVariables.APP_ORIGIN).origin,
    trustedProxies: Number(parsedVariables.TRUSTED_PROXIES),
    drainSeconds: Number(parsedVariables.DRAIN_SECONDS),
    metricsToken: parsedVariables.METRICS_TOKEN ?? null,
    mail: toMailSettings(parsedVariables),
    sso: toSsoSettings(parsedVariables),
    authSecret: parsedVariables.AUTH_SECRET,
    encryption: {
      current: parsedVariables.ENCRYPTION_KEY,
      previous: parsedVariables.ENCRYPTION_KEY_PREVIOUS,
      lost: parsedVariables.ENCRYPTION_KEY_LOST,
    },
    embedded: embeddedService !== undefined,
  }
}

let cachedEnv: Env | undefined

/** Throws as `parseEnv` does. */
export function env(): Env {
  cachedEnv ??= parseEnv(process.env)
  return cachedEnv
}

let cachedTimeSettings: TimeSettings | undefined

export function getTimeSettings(): TimeSettings {
  cachedTimeSettings ??= parseTimeSettings(process.env)
  return cachedTimeSettings
}

export const getSsoName = (): string | null => env().sso?.name ?? null

export const getLogLevel = (): string => parseVariables(logLevelShape, process.env).LOG_LEVEL

export const listConfiguredEnvironments = (): Environment[] =>
  environments.filter((name) => env().services[name] !== undefined)

export function setNextAuthUrl(): void {
  process.env.NEXTAUTH_URL = env().appOrigin
}

/** `next.config.mjs` reads this variable. */
export function setPagesFolderVariable(pages: string): void {
  process.env.PAGES_FOLDER = pages
}
