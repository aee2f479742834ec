import 'server-only'
import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  isNull,
  lt,
  or,
  type SQL,
  sql,
  sum,
} from 'drizzle-orm'
import { toExclusiveEnd } from '@/lib/dates'
import { AppError } from '@/lib/errors'
import { whyNotProcessedAgain } from '@/lib/features/webhooks/rules'
import { isUuid } from '@/lib/formats'
import type { Environment } from '@/lib/operations/define'
import type { WebhookDetail, WebhooksFilter, WebhookView } from '@/lib/operations/webhooks'
import { appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { formatAccountId } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { buildNotifySql } from '@/lib/server/store/notifications'
import { webhookEvents, webhookRefusals } from '@/lib/server/store/schema/mirror'
import { getDatabase } from '@/lib/server/store/store'

type StoredEvent = typeof webhookEvents.$inferSelect
type RefusalRow = typeof webhookRefusals.$inferSelect

const toWebhookView = ({
  id,
  state,
  note,
  tries,
  ...event
}: Omit<StoredEvent, 'payload'>): WebhookView => ({
  id,
  state,
  received_at: event.receivedAt.toISOString(),
  count: 1,
  note,
  verified: event.signed === 'verified',
  event_type: event.eventType,
  event_id: event.eventId,
  account: event.accountId && formatAccountId(event.accountId),
  target: event.resource && event.objectId && `${event.resource}/${event.objectId}`,
  tries,
  processed_at: event.processedAt?.toISOString() ?? null,
  next_try_at: event.nextTryAt?.toISOString() ?? null,
})

const toRefusedWebhookView = ({ cause, day, count: times, lastAt }: RefusalRow): WebhookView => ({
  id: `${cause}.${day}`,
  state: 'refused',
  received_at: lastAt.toISOString(),
  count: times,
  note: cause,
  verified: false,
  event_type: null,
  event_id: null,
  account: null,
  target: null,
  tries: 0,
  processed_at: null,
  next_try_at: null,
})

const toConditionIfSet = <T>(
  value: T | undefined | '',
  condition: (value: T) => SQL | undefined,
): SQL | undefined => (value === undefined || value === '' ? undefined : condition(value))

const toSearchCondition = (text: string) =>
  or(eq(webhookEvents.id, text), isUuid(text) ? eq(webhookEvents.objectId, text) : undefined)

/** `account` is an id without `acct_`; null means all accounts. */
export type WebhooksQuery = WebhooksFilter & { account: string | null }

/** Ignores the filter's state, because the list also counts the events in the other states. */
function toEventsCondition(environment: Environment, query: WebhooksQuery) {
  const { account, kind, signature, target, received_from, received_to, search_text } = query
  const [resource = '', objectId = ''] = target?.split('/') ?? []
  return and(
    eq(webhookEvents.environment, environment),
    toConditionIfSet(account ?? undefined, (id) => eq(webhookEvents.accountId, id)),
    toConditionIfSet(kind, (word) =>
      word === 'unknown' ? isNull(webhookEvents.resource) : eq(webhookEvents.resource, word),
    ),
    toConditionIfSet(signature, (word) => eq(webhookEvents.signed, word)),
    toConditionIfSet(target, () =>
      and(eq(webhookEvents.resource, resource), eq(webhookEvents.objectId, objectId)),
    ),
    toConditionIfSet(received_from, (at) => gte(webhookEvents.receivedAt, new Date(at))),
    toConditionIfSet(received_to, (at) => lt(webhookEvents.receivedAt, toExclusiveEnd(at))),
    toConditionIfSet(search_text, toSearchCondition),
  )
}

/**
 * Refused events were not parsed: a filter for one of their fields matches none of them. They have
 * no account, so the account filter does not apply to them.
 */
function toRefusalsCondition(
  environment: Environment,
  { kind, signature, target, received_from, received_to, search_text }: WebhooksQuery,
) {
  return and(
    eq(webhookRefusals.environment, environment),
    kind || signature || target || search_text ? sql`false` : undefined,
    toConditionIfSet(received_from, (at) => gte(webhookRefusals.lastAt, new Date(at))),
    toConditionIfSet(received_to, (at) => lt(webhookRefusals.lastAt, toExclusiveEnd(at))),
  )
}

/** Refused deliveries share one row for each cause and day; `refusals` counts these rows. */
export type WebhookCounts = Readonly<Record<WebhookView['state'] | 'refusals', number>>

/** Counts the events in every state, so the filter's own state is ignored. */
export async function countWebhooks(
  environment: Environment,
  filter: WebhooksQuery,
): Promise<WebhookCounts> {
  const db = await getDatabase()
  const { state } = webhookEvents
  const [states, [refusals]] = await Promise.all([
    db
      .select({ state, count: count() })
      .from(webhookEvents)
      .where(toEventsCondition(environment, filter))
      .groupBy(state),
    db
      .select({ rows: count(), deliveries: sum(webhookRefusals.count) })
      .from(webhookRefusals)
      .where(toRefusalsCondition(environment, filter)),
  ])
  const countByState = Object.fromEntries(states.map((each) => [each.state, each.count]))
  const zeroCounts = { received: 0, matched: 0, ignored: 0, failed: 0 }
  return {
    ...zeroCounts,
    ...countByState,
    refused: Number(refusals?.deliveries ?? 0),
    refusals: refusals?.rows ?? 0,
  }
}

export const getListRowCount = (
  { refused: _, refusals, ...events }: WebhookCounts,
  { state }: Pick<WebhooksFilter, 'state'>,
): number => {
  if (state === 'refused') return refusals
  return state ? events[state] : Object.values(events).reduce((all, each) => all + each, 0)
}

/** The time and id of an event. Later events in the list compare greater. */
const toEventPositionSql = (environment: Environment, id: string) =>
  sql`(select received_at, id from ${webhookEvents} where environment = ${environment} and id = ${id})`

/** With `afterEventId`, the page contains only events that were received later. */
export async function listWebhooks(
  environment: Environment,
  filter: WebhooksQuery,
  afterEventId: string | null = null,
): Promise<WebhookView[]> {
  const { state, page_number, page_size, sort_order } = filter
  const db = await getDatabase()
  const direction = sort_order === 'asc' ? asc : desc
  const skippedRowCount = (page_number - 1) * page_size
  if (state === 'refused') {
    const { lastAt, cause } = webhookRefusals
    const refusalRows = await db
      .select()
      .from(webhookRefusals)
      .where(toRefusalsCondition(environment, filter))
      .orderBy(direction(lastAt), asc(cause))
      .limit(page_size)
      .offset(skippedRowCount)
    return refusalRows.map(toRefusedWebhookView)
  }
  const { payload: _, ...columns } = getTableColumns(webhookEvents)
  const eventRows = await db
    .select(columns)
    .from(webhookEvents)
    .where(
      and(
        toEventsCondition(environment, filter),
        toConditionIfSet(state, (word) => eq(webhookEvents.state, word)),
        afterEventId === null
          ? undefined
          : sql`(${webhookEvents.receivedAt}, ${webhookEvents.id}) > ${toEventPositionSql(environment, afterEventId)}`,
      ),
    )
    .orderBy(direction(webhookEvents.receivedAt), asc(webhookEvents.id))
    .limit(page_size)
    .offset(skippedRowCount)
  return eventRows.map(toWebhookView)
}

const toWebhookDetail = (event: StoredEvent): WebhookDetail => ({
  ...toWebhookView(event),
  payload: event.payload as WebhookDetail['payload'],
})

const toWebhookIdCondition = (environment: Environment, id: string) =>
  and(eq(webhookEvents.environment, environment), eq(webhookEvents.id, id))

const createWebhookNotFoundError = () =>
  new AppError('not_found', 'There is no such webhook. Webhooks are kept for 30 days')

export async function readWebhook(environment: Environment, id: string): Promise<WebhookDetail> {
  const [event] = await (await getDatabase())
    .select()
    .from(webhookEvents)
    .where(toWebhookIdCondition(environment, id))
  if (!event) throw createWebhookNotFoundError()
  return toWebhookDetail(event)
}

/** Throws `not_found`, and `changed` if `whyNotProcessedAgain` returns a reason. */
export async function reprocessWebhook(
  actor: Actor,
  environment: Environment,
  id: string,
): Promise<WebhookDetail> {
  const event = await (await getDatabase()).transaction(async (tx) => {
    const [known] = await tx
      .select()
      .from(webhookEvents)
      .where(toWebhookIdCondition(environment, id))
      .for('update')
    if (!known) throw createWebhookNotFoundError()
    const whyNotReprocessed = whyNotProcessedAgain(toWebhookDetail(known))
    if (whyNotReprocessed) throw new AppError('changed', whyNotReprocessed)
    const [open] = await tx
      .update(webhookEvents)
      .set({ state: 'received', tries: 0, nextTryAt: sql`now()`, processedAt: null, note: null })
      .where(toWebhookIdCondition(environment, id))
      .returning()
    const { accountId: account } = known
    await appendAudit(tx, {
      code: 'webhooks.process.applied',
      ...toActorFields(actor),
      environment,
      account,
      target: `webhooks/${id}`,
    })
    await tx.execute(buildNotifySql({ about: 'webhooks' }))
    return open ?? known
  })
  return toWebhookDetail(event)
}
