import type { Sandbox } from '@/sandbox/sandbox'
import { unprocessable } from './problem'

/** Throws a 422 for an outcome other than `standard` in production, which has no simulation. */
export function requireNoOutcome({ environment }: Sandbox, outcome: string | null | undefined): void {
  if (environment !== 'production' || (outcome ?? 'standard') === 'standard') return
  const items = [{ reference: 'config.sandbox_outcome', detail: 'must be left out in production' }]
  throw unprocessable('An outcome can be chosen in the sandbox environment only.', items)
}
