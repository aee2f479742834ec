import { join } from 'node:path'
import type { Environment } from './environment'
import type { SandboxFlags } from './read-flags'

export type EnvironmentSettings = Pick<
  SandboxFlags,
  | 'host'
  | 'payments'
  | 'control'
  | 'dialect'
  | 'integration'
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

/** Requests per second. The interface document has no number, so this one is the sandbox's own. */
const defaultRateLimit = 50

function toSandboxSettings(flags: SandboxFlags): EnvironmentSettings {
  return { ...flags, environment: 'sandbox', rate: null }
}

/** Production has another seed, so that ids of one environment are unknown in the other. */
function toProductionSettings(flags: SandboxFlags, port: number): EnvironmentSettings {
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

/** `both` starts two environments in one process. They share no data. */
export function toEnvironmentSettings(flags: SandboxFlags): EnvironmentSettings[] {
  if (flags.environment === 'sandbox') return [toSandboxSettings(flags)]
  if (flags.environment === 'production') return [toProductionSettings(flags, flags.port)]
  const nextPort = flags.port === 0 ? 0 : flags.port + 1
  return [
    toSandboxSettings(flags),
    toProductionSettings(flags, flags['production-port'] ?? nextPort),
  ]
}
