import 'server-only'
import { and, asc, count, desc, eq, getTableColumns, gte, isNull, lte, or, type SQL, sql, sum } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { whyNotProcessedAgain } from '@/lib/features/webhooks/rules'
import { isUuid } from '@/lib/formats'
import type { Environment } from '@/lib/operations/define'
import type { WebhookDetail, WebhooksFilter, WebhookView } from '@/lib/operations/webhooks'
import { appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { accountText } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { notifySql } from '@/lib/server/store/notifications'
import { webhookEvents, webhookRefusals } from '@/lib/server/store/schema/mirror'
import { database } from '@/lib/server/store/store'

type StoredEvent = typeof webhookEvents.$inferSelect
type Refusal = typeof webhookRefusals.$inferSelect

const toWebhookView = ({ id, state, note, tries, ...event }: Omit<StoredEvent, 'payload'>): WebhookView => ({
  id,
  state,
  received_at: event.receivedAt.toISOString(),
  count: 1,
  note,
  verified: event.signed === 'verified',
  event_type: event.eventType,
  event_id: event.eventId,
  account: event.accountId && accountText(event.accountId),
  target: event.resource && event.objectId && `${event.resource}/${event.objectId}`,
  tries,
  processed_at: event.processedAt?.toISOString() ?? null,
  next_try_at: event.nextTryAt?.toISOString() ?? null,
})

const refusedView = ({ cause, day, count: times, lastAt }: Refusal): WebhookView => ({
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

const conditionIfSet = <T>(value: T | undefined | '', condition: (value: T) => SQL | undefined): SQL | undefined =>
  value === undefined || value === '' ? undefined : condition(value)

const searchCondition = (text: string) => or(eq(webhookEvents.id, text), isUuid(text) ? eq(webhookEvents.objectId, text) : undefined)

/** The filters of the list. `account` is an id without `acct_`; null means all accounts. */
export type WebhooksQuery = WebhooksFilter & { account: string | null }

/** SQL condition: the events that match a filter, in any state. */
function eventsCondition(environment: Environment, query: WebhooksQuery) {
  const { account, kind, signature, target, received_from, received_to, search_text } = query
  const [resource = '', objectId = ''] = target?.split('/') ?? []
  return and(
    eq(webhookEvents.environment, environment),
    conditionIfSet(account ?? undefined, (id) => eq(webhookEvents.accountId, id)),
    conditionIfSet(kind, (word) => (word === 'unknown' ? isNull(webhookEvents.resource) : eq(webhookEvents.resource, word))),
    conditionIfSet(signature, (word) => eq(webhookEvents.signed, word)),
    conditionIfSet(target, () => and(eq(webhookEvents.resource, resource), eq(webhookEvents.objectId, objectId))),
    conditionIfSet(received_from, (at) => gte(webhookEvents.receivedAt, new Date(at))),
    conditionIfSet(received_to, (at) => lte(webhookEvents.receivedAt, new Date(at))),
    conditionIfSet(search_text, searchCondition),
  )
}

/**
 * SQL condition: the refused deliveries that match a filter. None match a filter for a field of the event, because a refused event was not
 * parsed. They have no account, so the account filter is ignored.
 */
function refusalsCondition(environment: Environment, { kind, signature, target, received_from, received_to, search_text }: WebhooksQuery) {
  return and(
    eq(webhookRefusals.environment, environment),
    kind || signature || target || search_text ? sql`false` : undefined,
    conditionIfSet(received_from, (at) => gte(webhookRefusals.lastAt, new Date(at))),
    conditionIfSet(received_to, (at) => lte(webhookRefusals.lastAt, new Date(at))),
  )
}

/** The number of deliveries in each state, and the number of rows of refused deliveries. */
export type WebhookCounts = Readonly<Record<WebhookView['state'] | 'refusals', number>>

/** Returns the number of matching deliveries in each state. The filter's own state is ignored. */
export async function countWebhooks(environment: Environment, filter: WebhooksQuery): Promise<WebhookCounts> {
  const db = await database()
  const { state } = webhookEvents
  const [states, [refusals]] = await Promise.all([
    db.select({ state, count: count() }).from(webhookEvents).where(eventsCondition(environment, filter)).groupBy(state),
    db
      .select({ rows: count(), deliveries: sum(webhookRefusals.count) })
      .from(webhookRefusals)
      .where(refusalsCondition(environment, filter)),
  ])
  const counted = Object.fromEntries(states.map((each) => [each.state, each.count]))
  const none = { received: 0, matched: 0, ignored: 0, failed: 0 }
  return { ...none, ...counted, refused: Number(refusals?.deliveries ?? 0), refusals: refusals?.rows ?? 0 }
}

/** Returns the number of rows in the list for the state of a filter. */
export const countRows = ({ refused: _, refusals, ...events }: WebhookCounts, { state }: Pick<WebhooksFilter, 'state'>): number => {
  if (state === 'refused') return refusals
  return state ? events[state] : Object.values(events).reduce((all, each) => all + each, 0)
}

/** SQL: the position of an event in time order. */
const eventPosition = (environment: Environment, id: string) =>
  sql`(select received_at, id from ${webhookEvents} where environment = ${environment} and id = ${id})`

/**
 * Returns a page of the deliveries; of the refused ones if `state` is `refused`. With `after`, the id of an event, the page contains the
 * events after it, oldest first.
 */
export async function listWebhooks(environment: Environment, filter: WebhooksQuery, after: string | null = null): Promise<WebhookView[]> {
  const { state, page_number, page_size, sort_order } = filter
  const db = await database()
  const direction = sort_order === 'asc' ? asc : desc
  const skipped = (page_number - 1) * page_size
  if (state === 'refused') {
    const { lastAt, cause } = webhookRefusals
    const rows = await db
      .select()
      .from(webhookRefusals)
      .where(refusalsCondition(environment, filter))
      .orderBy(direction(lastAt), asc(cause))
      .limit(page_size)
      .offset(skipped)
    return rows.map(refusedView)
  }
  const { payload: _, ...columns } = getTableColumns(webhookEvents)
  const rows = await db
    .select(columns)
    .from(webhookEvents)
    .where(
      and(
        eventsCondition(environment, filter),
        conditionIfSet(state, (word) => eq(webhookEvents.state, word)),
        after === null ? undefined : sql`(${webhookEvents.receivedAt}, ${webhookEvents.id}) > ${eventPosition(environment, after)}`,
      ),
    )
    .orderBy(direction(webhookEvents.receivedAt), asc(webhookEvents.id))
    .limit(page_size)
    .offset(skipped)
  return rows.map(toWebhookView)
}

const toWebhookDetail = (event: StoredEvent): WebhookDetail => ({
  ...toWebhookView(event),
  payload: event.payload as WebhookDetail['payload'],
})

const idCondition = (environment: Environment, id: string) => and(eq(webhookEvents.environment, environment), eq(webhookEvents.id, id))

const webhookNotFoundError = () => new AppError('not_found', 'There is no such webhook. Webhooks are kept for 30 days')

/** Returns one webhook with its payload. Throws `not_found`. */
export async function readWebhook(environment: Environment, id: string): Promise<WebhookDetail> {
  const [event] = await (await database()).select().from(webhookEvents).where(idCondition(environment, id))
  if (!event) throw webhookNotFoundError()
  return toWebhookDetail(event)
}

/**
 * Processes a webhook again as if it had just arrived, and records that in the audit. Throws `not_found`, and `changed` if
 * `whyNotProcessedAgain` returns a reason.
 */
export async function reprocessWebhook(actor: Actor, environment: Environment, id: string): Promise<WebhookDetail> {
  const event = await (await database()).transaction(async (tx) => {
    const [known] = await tx.select().from(webhookEvents).where(idCondition(environment, id)).for('update')
    if (!known) throw webhookNotFoundError()
    const why = whyNotProcessedAgain(toWebhookDetail(known))
    if (why) throw new AppError('changed', why)
    const [open] = await tx
      .update(webhookEvents)
      .set({ state: 'received', tries: 0, nextTryAt: sql`now()`, processedAt: null, note: null })
      .where(idCondition(environment, id))
      .returning()
    const { accountId: account } = known
    await appendAudit(tx, { code: 'webhooks.process.applied', ...toActorFields(actor), environment, account, target: `webhooks/${id}` })
    await tx.execute(notifySql({ about: 'webhooks' }))
    return open ?? known
  })
  return toWebhookDetail(event)
}
