import type { AmountUnit } from '@/lib/money'
import type { Environment } from './define'
import type { Integration } from './integration'
import type { ServiceOperationId } from './service-operations'

export type CheckVerdict = 'fits' | 'does_not_fit' | 'cannot_tell'

/**
 * `set` is the fix: lines for the settings file, or an instruction if no setting helps. A finding
 * never contains a secret, an id or a value of an object.
 */
export type ServiceFinding = {
  label: string
  verdict: CheckVerdict
  text: string
  set?: string
  status?: number
  took_ms?: number
}

export type FindingGroup = {
  title: 'Connection' | 'Key' | 'Settings' | 'Operations'
  findings: ServiceFinding[]
}

/** `stopped` is why the check ended early; null if it was complete. */
export type ServiceReport = {
  environment: Environment
  started_at: string
  took_ms: number
  /** Number of requests sent to the service. All of them are reads. */
  calls: number
  stopped: string | null
  groups: FindingGroup[]
}

export const verdictTexts: Readonly<Record<CheckVerdict, string>> = {
  fits: 'fits',
  does_not_fit: 'mismatch',
  cannot_tell: 'unknown',
}

export function countVerdicts({
  groups,
}: Pick<ServiceReport, 'groups'>): Record<CheckVerdict, number> {
  const verdictCounts = { fits: 0, does_not_fit: 0, cannot_tell: 0 }
  for (const { verdict } of groups.flatMap(({ findings }) => findings)) verdictCounts[verdict] += 1
  return verdictCounts
}

export type ServiceSettings = {
  origin: string
  integration: Integration
  accountHeader: string
  accountPrefix: string
  amountUnit: AmountUnit
  capabilityRequestsPath: string
  listStyle: string
  signedConsent: string
  hasWebhookSecret: boolean
  keyFingerprint: string
  /** Requests per second of all instances together; null if there is no limit. */
  rateLimit: number | null
  embedded: boolean
}

/** A response field that this process could not parse, counted since the process started. */
export type UnreadableFieldCount = {
  operation: ServiceOperationId
  path: string
  count: number
  last_at: string
}

/** The events that the payments service delivered in the last 30 days. */
export type WebhookSummary = {
  /** `unsigned`: accepted without signature, as configured. `none`: no secret, so all refused. */
  signing: 'secret' | 'unsigned' | 'none'
  last_received_at: string | null
  events: Readonly<Record<'received' | 'matched' | 'ignored' | 'failed', number>>
  unverified: number
  /** The most frequent cause first. */
  refusals: readonly { cause: string; count: number; last_at: string }[]
}

/**
 * All instances share the rate limit. `waiting`: the calls that wait in this instance only, by
 * priority.
 */
export type RateBudget = {
  /** Maximum calls per second. Null if there is no limit; then nothing is counted. */
  limit: number | null
  /** Calls per second allowed now. Shrinks after "too many requests" responses, then grows back. */
  allowed: number
  /** Calls in the last second. */
  used: number
  waiting: { write: number; read: number; background: number }
  /** The last "too many requests" response, and the seconds left of the pause that it requires. */
  refused_at: string | null
  paused_seconds: number
}
