import { parseArgs } from 'node:util'
import { z } from 'zod'
import {
  clockBounds,
  paymentCountSchema,
  seedNumberSchema,
} from '@/sandbox/control/control-schemas'
import { dialectNames } from '@/sandbox/dialects/dialects'
import { isWebhookSecret } from '@/sandbox/events/open-endpoint'
import { integrations } from '@/sandbox/integration'
import { FileNotPrivateError, readPrivateFile } from '@/sandbox/store/store'

const wholeNumberSchema = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number')
  .transform(Number)

const portSchema = wholeNumberSchema.pipe(z.number().max(65_535, 'must be at most 65535'))

const clockSpeedSchema = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,9})?$/, 'must be a number such as 60 or 0.5')
  .transform(Number)
  .pipe(z.number().gt(0, 'must be more than 0').max(100_000, 'must be at most 100000'))

const startTimeSchema = z.iso
  .datetime({ offset: true, message: 'must be a moment such as 2026-03-10T15:00:00Z' })
  .transform((text) => Date.parse(text))
  .refine(
    (at) => at >= clockBounds.first && at < clockBounds.last,
    'must lie between 2000 and 2199',
  )

const webhookUrlSchema = z
  .url({ protocol: /^https?$/, message: 'must be an http or https address', abort: true })
  .refine(
    (text) => new URL(text).username === '' && new URL(text).password === '',
    'must not hold a user name or password',
  )

const webhookSecretFileSchema = z
  .string()
  .transform((file, context) => {
    try {
      return readPrivateFile(file)
    } catch (error) {
      const isReadableByOthers = error instanceof FileNotPrivateError
      context.addIssue({
        code: 'custom',
        message: isReadableByOthers
          ? 'must be for its owner alone: chmod 600 it'
          : 'cannot be read',
      })
      return z.NEVER
    }
  })
  .refine(isWebhookSecret, 'must hold whsec_ followed by 24 to 64 bytes in base64')

const bridgeOriginSchema = z
  .string()
  .refine(
    (text) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text,
    'must be an origin such as https://desk.example.com',
  )

const flagsSchema = z
  .object({
    port: portSchema,
    host: z.string().min(1, 'must not be empty'),
    data: z.string().min(1, 'must not be empty'),
    seed: wholeNumberSchema.pipe(seedNumberSchema),
    payments: wholeNumberSchema.pipe(paymentCountSchema),
    control: z.boolean(),
    dialect: z.enum(dialectNames, `must be ${dialectNames.join(' or ')}`),
    integration: z.enum(integrations, `must be ${integrations.join(' or ')}`),
    environment: z.enum(['sandbox', 'production', 'both'], 'must be sandbox, production or both'),
    'production-port': portSchema.optional(),
    /** The most requests per second that the production environment accepts. */
    'rate-limit': wholeNumberSchema.pipe(z.number().min(1, 'must be 1 or more')).optional(),
    tls: z.boolean(),
    /** Seconds that pass on the sandbox's clock in one real second. */
    speed: clockSpeedSchema,
    /**
     * Start time of the clock if the data folder is new, in milliseconds since 1970. By default it
     * is the machine's time.
     */
    now: startTimeSchema.optional(),
    webhook: webhookUrlSchema.optional(),
    'webhook-secret-file': webhookSecretFileSchema.optional(),
    /**
     * Origins whose pages may embed the hosted bank-connection page in a frame. If empty, any
     * origin on this machine may.
     */
    'bridge-origin': z.array(bridgeOriginSchema),
  })
  .refine((given) => given['webhook-secret-file'] === undefined || given.webhook !== undefined, {
    message: 'needs --webhook with the address to send to',
    path: ['webhook-secret-file'],
  })
  .refine((given) => given['production-port'] === undefined || given.environment === 'both', {
    message: 'needs --environment both; production alone listens on --port',
    path: ['production-port'],
  })
  .refine((given) => given['rate-limit'] === undefined || given.environment !== 'sandbox', {
    message: 'is for production: the sandbox environment has no rate limit of its own',
    path: ['rate-limit'],
  })
  .refine(
    (given) =>
      given.environment !== 'both' || given.port < 65_535 || given['production-port'] !== undefined,
    {
      message: 'is needed: there is no port after 65535',
      path: ['production-port'],
    },
  )

/**
 * Parsed command-line flags. With `port` 0, the operating system chooses a port. `webhook-secret`
 * is the content of the file that the flag `--webhook-secret-file` names.
 */
export type SandboxFlags = Omit<z.infer<typeof flagsSchema>, 'webhook-secret-file'> & {
  'webhook-secret'?: string | undefined
}

export function readFlags(args: string[]): SandboxFlags {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '4010' },
      host: { type: 'string', default: '127.0.0.1' },
      data: { type: 'string', default: './data/sandbox' },
      seed: { type: 'string', default: '1' },
      payments: { type: 'string', default: '5000' },
      control: { type: 'boolean', default: false },
      dialect: { type: 'string', default: 'document' },
      integration: { type: 'string', default: 'saas' },
      environment: { type: 'string', default: 'sandbox' },
      'production-port': { type: 'string' },
      'rate-limit': { type: 'string' },
      tls: { type: 'boolean', default: false },
      speed: { type: 'string', default: '1' },
      now: { type: 'string' },
      webhook: { type: 'string' },
      'webhook-secret': { type: 'string' },
      'webhook-secret-file': { type: 'string' },
      'bridge-origin': { type: 'string', multiple: true, default: [] },
    },
  })
  if (values['webhook-secret'] !== undefined)
    throw new Error(
      '--webhook-secret is not taken: everybody on this machine can read it there; name a file with --webhook-secret-file',
    )
  const flagsParseResult = flagsSchema.safeParse(values)
  if (flagsParseResult.success) {
    const { 'webhook-secret-file': secret, ...given } = flagsParseResult.data
    return { ...given, 'webhook-secret': secret }
  }
  const [issue] = flagsParseResult.error.issues
  throw new Error(`--${String(issue?.path[0] ?? '')} ${issue?.message ?? 'is not valid'}`)
}
