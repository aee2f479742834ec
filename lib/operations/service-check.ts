import type { AmountUnit } from '@/lib/money'
import type { Environment } from './define'
import type { ServiceOperationId } from './service-operations'

/** What a check of the connection found out about one thing. */
export type Verdict = 'fits' | 'does_not_fit' | 'cannot_tell'

/**
 * One line of the check: what was looked at, whether it fits, why. `set` is what would fit, as lines of the settings file, or what to do where no
 * setting helps. A line about an operation has the status of its answer and how long that took (milliseconds). No secret, no id and no
 * value of an object is ever in it.
 */
export type Finding = { label: string; verdict: Verdict; text: string; set?: string; status?: number; took_ms?: number }

export type FindingGroup = { title: 'Connection' | 'Key' | 'Settings' | 'Operations'; findings: Finding[] }

/** The check of one environment's payments service. `stopped` says why the rest was not asked, where something ended it early. */
export type ServiceReport = {
  environment: Environment
  started_at: string
  took_ms: number
  /** How many requests were sent to the service; all of them only read. */
  calls: number
  stopped: string | null
  groups: FindingGroup[]
}

/** The words of the verdicts, as the command and the page write them. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  fits: 'fits',
  does_not_fit: 'mismatch',
  cannot_tell: 'unknown',
}

export function countVerdicts({ groups }: Pick<ServiceReport, 'groups'>): Record<Verdict, number> {
  const counts = { fits: 0, does_not_fit: 0, cannot_tell: 0 }
  for (const { verdict } of groups.flatMap(({ findings }) => findings)) counts[verdict] += 1
  return counts
}

/** How Paydesk speaks to the service of an environment, as far as it is no secret. */
export type ServiceSettings = {
  /** The service's address without its path. */
  origin: string
  accountHeader: string
  accountPrefix: string
  amountUnit: AmountUnit
  capabilityRequestsPath: string
  listStyle: string
  signedConsent: string
  hasWebhookSecret: boolean
  keyFingerprint: string
  /** Requests per second of all instances together; null where there is no limit. */
  rateLimit: number | null
  embedded: boolean
}

/** A part of answers that this process could not read since it began: how often, and when last (ISO, UTC). */
export type UnreadablePart = { operation: ServiceOperationId; path: string; count: number; last_at: string }

/** What is known of the events that the payments service delivered in the last 30 days. */
export type WebhookSummary = {
  /** What shows that an event is genuine; `none`: all are refused. */
  signing: 'secret' | 'unsigned' | 'none'
  /** When an event was taken in last, in ISO; null where none was. */
  last_received_at: string | null
  /** Events by what became of them. */
  events: Readonly<Record<'received' | 'matched' | 'ignored' | 'failed', number>>
  /** How many of them nobody signed. */
  unverified: number
  /** Deliveries that were refused, the most frequent cause first. */
  refusals: readonly { cause: string; count: number; last_at: string }[]
}

/** How much of the service's rate limit is in use. All but `waiting` is true over all instances, which share the limit. */
export type RateBudget = {
  /** Calls a second; null where none is set, and nothing is counted then. */
  limit: number | null
  /** What is left of it since the service last said that too much is asked; it grows back. */
  allowed: number
  /** Calls of the last second. */
  used: number
  /** Calls that wait for room in the instance that answers. */
  waiting: { write: number; read: number; background: number }
  /** When the service last refused a call for coming too soon (ISO), and the seconds for which it still wants to be left alone. */
  refused_at: string | null
  paused_seconds: number
}
