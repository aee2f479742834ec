/** What came of something, as the audit is filtered by it. */
export const auditOutcomes = ['done', 'started', 'asked', 'refused', 'denied', 'unknown'] as const

export type AuditOutcome = (typeof auditOutcomes)[number]

/** A row of the audit as a list shows it: `what` is in words, `actor` null where nobody asked, and `repeated` how many further ones it stands for. */
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

/** One row with all that is kept of it. */
export type AuditDetail = {
  row: AuditRow
  environment: string | null
  fields: { name: string; value: string }[]
  body: string
  prev: string
  hash: string
}

/** How a walk over the chain stands: `rows` were walked of `total`; `bad` is the first that is wrong. `signed` is the newest head kept outside the store. */
export type AuditWalk = {
  rows: number
  total: number
  done: boolean
  hash: string
  bad: { seq: number; why: string } | null
  signed: { seq: number; at: string; key: string } | null
}
