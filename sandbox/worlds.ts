import { join } from 'node:path'
import type { Environment } from './environment'
import type { Flags } from './read-flags'

/** One environment to be played: where it listens, where its data lies, what it is filled with. */
export type World = Pick<
  Flags,
  'host' | 'payments' | 'control' | 'dialect' | 'speed' | 'now' | 'tls' | 'webhook' | 'webhook-secret' | 'bridge-origin'
> & {
  environment: Environment
  port: number
  data: string
  seed: number
  /** Requests a second, null for any number. */
  rate: number | null
}

/** The interface document says that production limits requests and names no number. */
const standardRate = 50

function sandboxWorld(flags: Flags): World {
  return { ...flags, environment: 'sandbox', rate: null }
}

/** Its data lies in a folder of its own inside the data folder. Another seed number gives it other objects, so that one environment's ids are unknown in the other. */
function productionWorld(flags: Flags, port: number): World {
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

/** The worlds a start asks for: one, or with `--environment both` two that share nothing but the process. */
export function worldsOf(flags: Flags): World[] {
  if (flags.environment === 'sandbox') return [sandboxWorld(flags)]
  if (flags.environment === 'production') return [productionWorld(flags, flags.port)]
  const next = flags.port === 0 ? 0 : flags.port + 1
  return [sandboxWorld(flags), productionWorld(flags, flags['production-port'] ?? next)]
}
