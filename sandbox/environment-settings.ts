import { join } from 'node:path'
import type { Environment } from './environment'
import type { Flags } from './read-flags'

export type EnvironmentSettings = Pick<
  Flags,
  | 'host'
  | 'payments'
  | 'control'
  | 'dialect'
  | 'speed'
  | 'now'
  | 'tls'
  | 'webhook'
  | 'webhook-secret'
  | 'bridge-origin'
> & {
  environment: Environment
  port: number
  data: string
  seed: number
  /** Requests per second; null for no limit. */
  rate: number | null
}

/**
 * Default rate limit of production in requests per second. The interface document mentions a limit
 * but no number, so this number is the sandbox's own.
 */
const defaultRateLimit = 50

function toSandboxSettings(flags: Flags): EnvironmentSettings {
  return { ...flags, environment: 'sandbox', rate: null }
}

/**
 * Returns the settings of the production environment. Its data is in the subfolder `production`.
 * Its seed differs from the sandbox's seed, so that ids of one environment are unknown in the
 * other.
 */
function toProductionSettings(flags: Flags, port: number): EnvironmentSettings {
  const seed = (flags.seed + 1) % 2 ** 32
  return {
    ...flags,
    environment: 'production',
    port,
    data: join(flags.data, 'production'),
    seed,
    rate: flags['rate-limit'] ?? defaultRateLimit,
  }
}

/**
 * Returns the settings of each environment to start. With `--environment both`, two environments
 * run in one process and share no data.
 */
export function toEnvironmentSettings(flags: Flags): EnvironmentSettings[] {
  if (flags.environment === 'sandbox') return [toSandboxSettings(flags)]
  if (flags.environment === 'production') return [toProductionSettings(flags, flags.port)]
  const nextPort = flags.port === 0 ? 0 : flags.port + 1
  return [
    toSandboxSettings(flags),
    toProductionSettings(flags, flags['production-port'] ?? nextPort),
  ]
}
