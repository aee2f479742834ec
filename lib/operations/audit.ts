export const auditOutcomes = ['done', 'started', 'asked', 'refused', 'denied', 'unknown'] as const

export type AuditOutcome = (typeof auditOutcomes)[number]

/** `actor`: null if no person acted. `repeated`: further refusals that this row counts, or null. */
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

export type AuditDetail = {
  row: AuditRow
  environment: string | null
  fields: { name: string; value: string }[]
  body: string
  prev: string
  hash: string
}

/**
 * `bad`: the first invalid row. `signed`: the newest row with a signature of ours, which is stored
 * outside of the database.
 */
export type AuditVerification = {
  rows: number
  total: number
  done: boolean
  hash: string
  bad: { seq: number; why: string } | null
  signed: { seq: number; at: string; key: string } | null
}
