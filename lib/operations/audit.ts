/** Outcomes by which the audit can be filtered. */
export const auditOutcomes = ['done', 'started', 'asked', 'refused', 'denied', 'unknown'] as const

export type AuditOutcome = (typeof auditOutcomes)[number]

/**
 * A row of the audit list. `what` is the operation in words. `actor` is null if no person acted.
 * `repeated` is the number of further refusals that this one row counts; null for other rows.
 */
export type AuditRow = {
  seq: number
  at: string
  code: string
  what: string
  outcome: AuditOutcome
  actor: { id: string; name: string } | null
  account: string | null
  target: string | null
  action: string | null
  request_id: string | null
  repeated: number | null
}

/** One row with all its stored data. */
export type AuditDetail = {
  row: AuditRow
  environment: string | null
  fields: { name: string; value: string }[]
  body: string
  prev: string
  hash: string
}

/**
 * Progress of a verification of the audit chain: `rows` of `total` rows are checked. `bad` is the
 * first invalid row. `signed` is the newest row with a signature of ours, which is stored outside
 * of the database.
 */
export type AuditVerification = {
  rows: number
  total: number
  done: boolean
  hash: string
  bad: { seq: number; why: string } | null
  signed: { seq: number; at: string; key: string } | null
}
