import type { AmountUnit } from '@/lib/money'
import type { Environment } from './define'
import type { ServiceOperationId } from './service-operations'

/**
 * The verdict of one check of the connection: the service responds as Paydesk expects, it does not,
 * or the check cannot tell.
 */
export type CheckVerdict = 'fits' | 'does_not_fit' | 'cannot_tell'

/**
 * One result of the check. `label` is what was checked, and `text` is the reason for the verdict.
 * `set` is the fix: lines for the settings file, or an instruction if no setting helps. The result
 * for an operation also has the status and the duration (milliseconds) of the response. A result
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

/**
 * The report of a check of one environment's payments service. `stopped` is why the check ended
 * early, null if it was complete.
 */
export type ServiceReport = {
  environment: Environment
  started_at: string
  took_ms: number
  /** Number of requests sent to the service. All of them are reads. */
  calls: number
  stopped: string | null
  groups: FindingGroup[]
}

/** The text of each verdict in the report of the command-line check. */
export const verdictTexts: Readonly<Record<CheckVerdict, string>> = {
  fits: 'fits',
  does_not_fit: 'mismatch',
  cannot_tell: 'unknown',
}

export function countVerdicts({
  groups,
}: Pick<ServiceReport, 'groups'>): Record<CheckVerdict, number> {
  const counts = { fits: 0, does_not_fit: 0, cannot_tell: 0 }
  for (const { verdict } of groups.flatMap(({ findings }) => findings)) counts[verdict] += 1
  return counts
}

/** The connection settings for the service of an environment, without secrets. */
export type ServiceSettings = {
  /** The service's URL without its path. */
  origin: string
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

/**
 * A field that this process could not parse in some responses of the service. `count` is how often
 * that happened since the process started; `last_at` is the last time (ISO, UTC).
 */
export type UnreadablePart = {
  operation: ServiceOperationId
  path: string
  count: number
  last_at: string
}

/** The events that the payments service delivered in the last 30 days. */
export type WebhookSummary = {
  /**
   * How deliveries are authenticated. `secret`: by their signature. `unsigned`: not at all, as
   * configured. `none`: no secret is configured, so all deliveries are refused.
   */
  signing: 'secret' | 'unsigned' | 'none'
  /** Time of the last received event, ISO; null if there was none. */
  last_received_at: string | null
  events: Readonly<Record<'received' | 'matched' | 'ignored' | 'failed', number>>
  /** Number of events without a verified signature. */
  unverified: number
  /** Refused deliveries by cause, the most frequent cause first. */
  refusals: readonly { cause: string; count: number; last_at: string }[]
}

/**
 * The use of the rate limit of the service by all instances together, which share the limit. Only
 * `waiting` is for one instance.
 */
export type RateBudget = {
  /** Maximum calls per second. Null if there is no limit; then nothing is counted. */
  limit: number | null
  /**
   * Calls per second that are allowed now. It shrinks after the service reports too many requests,
   * then grows back.
   */
  allowed: number
  /** Calls in the last second. */
  used: number
  /** Calls that wait, by priority, in the instance that sends this response. */
  waiting: { write: number; read: number; background: number }
  /**
   * Time of the service's last "too many requests" response (ISO), and the seconds left of the
   * pause that it requires.
   */
  refused_at: string | null
  paused_seconds: number
}
