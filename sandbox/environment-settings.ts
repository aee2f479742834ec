import { join } from 'node:path'
import type { Environment } from './environment'
import type { Flags } from './read-flags'

export type EnvironmentSettings = Pick<
  Flags,
  'host' | 'payments' | 'control' | 'dialect' | 'speed' | 'now' | 'tls' | 'webhook' | 'webhook-secret' | 'bridge-origin'
> & {
  environment: Environment
  port: number
  data: string
  seed: number
  /** Requests per second; null for no limit. */
  rate: number | null
}

/** The interface document mentions a rate limit in production, but no number. This one is the sandbox's own. */
const standardRate = 50

function sandboxWorld(flags: Flags): EnvironmentSettings {
  return { ...flags, environment: 'sandbox', rate: null }
}

/**
 * Returns the production environment's settings. Its data is in a subfolder. Its seed number differs, so that ids of one environment are
 * unknown in the other.
 */
function productionWorld(flags: Flags, port: number): EnvironmentSettings {
  const seed = (flags.seed + 1) % 2 ** 32
  return {
    ...flags,
    environment: 'production',
    port,
    data: join(flags.data, 'production'),
    seed,
    rate: flags['rate-limit'] ?? standardRate,
  }
}

/** Returns the environments to start. With `--environment both` there are two, which share only the process. */
export function toEnvironmentSettings(flags: Flags): EnvironmentSettings[] {
  if (flags.environment === 'sandbox') return [sandboxWorld(flags)]
  if (flags.environment === 'production') return [productionWorld(flags, flags.port)]
  const next = flags.port === 0 ? 0 : flags.port + 1
  return [sandboxWorld(flags), productionWorld(flags, flags['production-port'] ?? next)]
}
