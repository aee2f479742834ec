import 'server-only'
import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { collectDefaultMetrics, Gauge } from 'prom-client'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { env, listConfiguredEnvironments } from '@/lib/server/config/env'
import { metrics } from '@/lib/server/counters'
import { readBudget } from '@/lib/server/service/rate-limit'
import { createRequestId } from '@/lib/server/service/request'
import { getSharedValue } from '@/lib/server/shared'
import { readDiskSpace } from '@/lib/server/store/disk-space'
import { getDatabase, getStore } from '@/lib/server/store/store'
import { readSyncState } from '@/lib/server/sync/state'
import { respondError } from './respond'

/** If exceeded, `paydesk_store_up` is 0, and the other metrics from the store are missing. */
const storeTimeoutMs = 2000

type MetricLabels = Record<string, string>
type MetricValue = { name: string; labels: MetricLabels; value: number }

/**
 * Gauges of this process, except those that count rows of the store, such as
 * `paydesk_actions_open`: they have the same value in every instance, so do not add them up.
 */
const gaugeHelpTexts = {
  paydesk_store_up: 'Whether the store answered in time, 1 or 0',
  paydesk_store_listen_up:
    'Whether this process hears what others change, 1 or 0; at 0 open pages refresh every half minute',
  paydesk_store_connections_used:
    'Connections to the store that this process uses, of the ten it may have',
  paydesk_store_connections_waiting: 'Requests of this process that wait for a connection',
  paydesk_audit_unsigned_seconds:
    'Age of the oldest row of the record after the newest signed head; heads are signed each minute',
  paydesk_data_dir_free_bytes: 'Free room of the disk that DATA_DIR is on',
  paydesk_data_dir_size_bytes: 'Size of that disk',
  paydesk_deletions_waiting: 'Deletions that were asked for and not carried out yet',
  paydesk_deletions_oldest_seconds: 'Age of the oldest of them',
  paydesk_actions_open: 'Actions whose outcome is not known yet, by state',
  paydesk_actions_oldest_seconds: 'Age of the oldest of them',
  paydesk_limiter_allowed: 'Calls a second that all instances may send at present',
  paydesk_limiter_used: 'Calls of the last second',
  paydesk_limiter_waiting: 'Calls of this process that wait for room',
  paydesk_sync_age_seconds: 'Since when nothing newer is known of what was read whole',
  paydesk_sync_paused: 'Whether the sync waits after a failure, 1 or 0',
  paydesk_jobs: 'Background jobs that wait or run, by queue',
  paydesk_jobs_oldest_seconds: 'Age of the oldest of them',
  paydesk_webhooks_waiting: 'Events that were taken in and are not processed yet',
  paydesk_webhooks_oldest_seconds: 'Age of the oldest of them',
} as const

const listLabelNames = (name: string): string[] =>
  name.includes('jobs')
    ? ['queue']
    : /_(?:store|audit|data_dir)_/.test(name)
      ? []
      : ['environment', 'state']

function registerGauges(): ReadonlyMap<string, Gauge> {
  const { registry } = metrics
  collectDefaultMetrics({ register: registry })
  const gaugeEntries = Object.entries(gaugeHelpTexts).map(
    ([name, help]) =>
      [
        name,
        new Gauge({ name, help, labelNames: listLabelNames(name), registers: [registry] }),
      ] as const,
  )
  return new Map(gaugeEntries)
}

const getSharedGauges = () => getSharedValue('gauges', registerGauges)

type BacklogRow = { of: string; state: string | null; count: number; seconds: number }

async function readBacklogRows(query: ReturnType<typeof sql>): Promise<BacklogRow[]> {
  return ((await (await getDatabase()).execute(query)) as unknown as { rows: BacklogRow[] }).rows
}

const toMetricValues = (
  rows: readonly BacklogRow[],
  label: string,
  [count, oldest]: readonly [string, string],
): MetricValue[] =>
  rows.flatMap((row) => {
    const labels: MetricLabels = {
      [label]: row.of,
      ...(row.state === null ? {} : { state: row.state }),
    }
    return [
      { name: count, labels, value: row.count },
      { name: oldest, labels, value: row.seconds },
    ]
  })

const buildCountAndAgeSql = (timeColumn: string) =>
  sql.raw(
    `count(*)::int as count, greatest(0, extract(epoch from now() - min(${timeColumn})))::float8 as seconds`,
  )

const openActionsQuery = sql`select environment as of, state, ${buildCountAndAgeSql('created_at')} from actions
  where state in ('sending', 'unknown', 'needs_human') group by 1, 2`
const waitingWebhooksQuery = sql`select environment as of, null as state, ${buildCountAndAgeSql('received_at')} from webhook_events where state = 'received' group by 1`
const unsignedAuditQuery = sql`select '' as of, null as state, 1 as count,
    greatest(0, extract(epoch from now() - (body::jsonb ->> 'at')::timestamptz))::float8 as seconds
  from audit where seq > coalesce((select max(seq) from audit_head_files), 0) order by seq limit 1`
const waitingDeletionsQuery = sql`select environment as of, null as state, ${buildCountAndAgeSql('created_at')} from deletions where state = 'requested' group by 1`
const openJobsQuery = sql`select name as of, null as state, ${buildCountAndAgeSql('created_on')} from pgboss.job
  where state in ('created', 'retry', 'active') and name not like '\\_\\_%' group by 1`

/** Empty until the job library (pg-boss) has created its tables at its first start. */
async function readOpenJobRows(): Promise<BacklogRow[]> {
  const [row] = await readBacklogRows(sql`select to_regclass('pgboss.job')::text as of`)
  return row?.of ? readBacklogRows(openJobsQuery) : []
}

async function readEnvironmentValues(environment: Environment): Promise<MetricValue[]> {
  const labels = { environment }
  const { checkedAt, paused } = await readSyncState(environment)
  const budget = await readBudget(environment)
  const rateLimitValues: MetricValue[] =
    budget.limit === null
      ? []
      : [
          { name: 'paydesk_limiter_allowed', labels, value: budget.allowed },
          { name: 'paydesk_limiter_used', labels, value: budget.used },
          {
            name: 'paydesk_limiter_waiting',
            labels,
            value: budget.waiting.write + budget.waiting.read + budget.waiting.background,
          },
        ]
  return [
    ...rateLimitValues,
    ...(checkedAt
      ? [
          {
            name: 'paydesk_sync_age_seconds',
            labels,
            value: Math.max(0, (Date.now() - Number(checkedAt)) / 1000),
          },
        ]
      : []),
    { name: 'paydesk_sync_paused', labels, value: paused ? 1 : 0 },
  ]
}

async function readStoreValues(): Promise<MetricValue[]> {
  const { notices, connections } = await getStore()
  // Read the pool's figures before this function uses connections of its own.
  const { used, waiting } = connections()
  const [unsigned] = await readBacklogRows(unsignedAuditQuery)
  return [
    { name: 'paydesk_store_up', labels: {}, value: 1 },
    { name: 'paydesk_store_listen_up', labels: {}, value: notices.isDelivered() ? 1 : 0 },
    { name: 'paydesk_store_connections_used', labels: {}, value: used },
    { name: 'paydesk_store_connections_waiting', labels: {}, value: waiting },
    { name: 'paydesk_audit_unsigned_seconds', labels: {}, value: unsigned?.seconds ?? 0 },
    ...toMetricValues(await readBacklogRows(waitingDeletionsQuery), 'environment', [
      'paydesk_deletions_waiting',
      'paydesk_deletions_oldest_seconds',
    ]),
    ...toMetricValues(await readBacklogRows(openActionsQuery), 'environment', [
      'paydesk_actions_open',
      'paydesk_actions_oldest_seconds',
    ]),
    ...toMetricValues(await readBacklogRows(waitingWebhooksQuery), 'environment', [
      'paydesk_webhooks_waiting',
      'paydesk_webhooks_oldest_seconds',
    ]),
    ...toMetricValues(await readOpenJobRows(), 'queue', [
      'paydesk_jobs',
      'paydesk_jobs_oldest_seconds',
    ]),
    ...(await Promise.all(listConfiguredEnvironments().map(readEnvironmentValues))).flat(),
  ]
}

async function readDiskValues(): Promise<MetricValue[]> {
  const { free, size } = await readDiskSpace()
  return [
    { name: 'paydesk_data_dir_free_bytes', labels: {}, value: free },
    { name: 'paydesk_data_dir_size_bytes', labels: {}, value: size },
  ]
}

const getStoreDownValues = (): MetricValue[] => [{ name: 'paydesk_store_up', labels: {}, value: 0 }]

let pendingStoreValues: Promise<MetricValue[]> | undefined

function readStoreValuesInTime(): Promise<MetricValue[]> {
  pendingStoreValues ??= readStoreValues()
    .catch(getStoreDownValues)
    .finally(() => {
      pendingStoreValues = undefined
    })
  return Promise.race([
    pendingStoreValues,
    wait(storeTimeoutMs, undefined, { ref: false }).then(getStoreDownValues),
  ])
}

const hashText = (text: string): Buffer => createHash('sha256').update(text).digest()

function hasToken(request: Request, token: string): boolean {
  const authorization = request.headers.get('authorization') ?? ''
  return timingSafeEqual(hashText(authorization), hashText(`Bearer ${token}`))
}

/** Requires METRICS_TOKEN as a bearer token. Without that setting, the route seems not to exist. */
export async function serveMetrics(request: Request): Promise<Response> {
  const token = env().metricsToken
  if (token === null)
    return respondError(new AppError('not_found', 'There is no such address'), createRequestId())
  if (!hasToken(request, token)) {
    const response = respondError(
      new AppError('unauthenticated', 'Authorization: must be Bearer and METRICS_TOKEN'),
      createRequestId(),
    )
    response.headers.set('www-authenticate', 'Bearer')
    return response
  }
  const metricValues = [
    ...(await readStoreValuesInTime()),
    ...(await readDiskValues().catch(() => [])),
  ]
  const gaugesByName = getSharedGauges()
  for (const [name, gauge] of gaugesByName) {
    gauge.reset()
    // `reset` sets a gauge without labels to 0. But the value may be unknown, so remove it.
    if (listLabelNames(name).length === 0) gauge.remove()
  }
  for (const { name, labels, value } of metricValues) gaugesByName.get(name)?.set(labels, value)
  return new Response(await metrics.registry.metrics(), {
    headers: { 'content-type': metrics.registry.contentType, 'cache-control': 'no-store' },
  })
}
