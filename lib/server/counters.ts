import 'server-only'
import { Counter, Histogram, Registry } from 'prom-client'
import { getSharedValue } from '@/lib/server/shared'

/** Labels are operation ids, environments and codes, never an object id or a request path. */
function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    requests: new Counter({
      name: 'paydesk_requests_total',
      help: 'Requests to the API by operation and outcome: ok, or the code of the error',
      labelNames: ['operation', 'outcome'],
      registers,
    }),
    requestTimes: new Histogram({
      name: 'paydesk_request_seconds',
      help: 'Requests to the API until their answer begins, by operation',
      labelNames: ['operation'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    calls: new Histogram({
      name: 'paydesk_service_seconds',
      help: 'Calls to the payments service: from leave to the whole answer, by operation and class of the answer',
      labelNames: ['environment', 'operation', 'outcome'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    shed: new Counter({
      name: 'paydesk_limiter_shed_total',
      help: 'Calls to the payments service that were held back: over_budget, over_quota or budget_unknown',
      labelNames: ['environment', 'fault'],
      registers,
    }),
    mails: new Counter({
      name: 'paydesk_mails_total',
      help: 'Mails by outcome: sent, or not_sent where the mail server did not take them',
      labelNames: ['outcome'],
      registers,
    }),
    headFailures: new Counter({
      name: 'paydesk_audit_head_failures_total',
      help: 'Times that the head of the record could not be signed and written to DATA_DIR',
      registers,
    }),
    cspReports: new Counter({
      name: 'paydesk_csp_reports_total',
      help: 'What browsers reported of the content security policy, by directive; not_read where the report was refused',
      labelNames: ['directive'],
      registers,
    }),
    signIns: new Counter({
      name: 'paydesk_sign_ins_total',
      help: 'Tries to sign in: opened, refused, or not checked because there were too many',
      labelNames: ['outcome'],
      registers,
    }),
  }
}

type Metrics = ReturnType<typeof createMetrics>

export const metrics: Metrics = getSharedValue('counted', createMetrics)
