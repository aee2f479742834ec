import 'server-only'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import type { schemasByOperation } from '@/lib/operations/registry'
import { type MirrorListId, toServiceResource } from '@/lib/operations/service-operations'
import {
  mirrorAccounts as accounts,
  mirrorCustomers as customers,
  mirrorLinkedBankAccounts as linked,
  mirrorOrganizations as organizations,
  mirrorRepresentatives as representatives,
  mirrorCapabilityRequests as requests,
} from '@/lib/server/store/schema/mirror'
import {
  mirrorFundingEvents as events,
  mirrorPaykeys as paykeys,
  mirrorPayments as payments,
} from '@/lib/server/store/schema/mirror-payments'
import {
  arrayContains,
  between,
  betweenTimes,
  type Conditions,
  containsAllWords,
  containsText,
  equals,
  equalsValueOrIsNull,
  inList,
} from './conditions'
import { buildPaymentSearchConditions } from './payment-search'

type ListIdOf<R extends ListedResource> = Extract<MirrorListId, `${R}.${string}`>
type ListedResource = MirrorListId extends `${infer R}.${string}` ? R : never

export type ListInput<K extends MirrorListId> = (typeof schemasByOperation)[K]['input']['_output']

type ListColumns = {
  id: AnyColumn
  environment: AnyColumn
  accountId: AnyColumn
  object: AnyColumn
  seenAt: AnyColumn
}

type MirrorList<K extends MirrorListId = MirrorListId> = {
  table: PgTable & ListColumns
  sorts: Readonly<Record<ListInput<K>['sort_by'], AnyColumn | SQL>>
  where: (input: ListInput<K>, environment: Environment) => Conditions | Promise<Conditions>
}

/** The service sorts by code point; the collation of the database could differ. */
const toCodePointOrder = (column: AnyColumn): SQL => sql`${column} collate "C"`

/** The name is the first line of the search text. */
const toNameLine = (search: AnyColumn): SQL => sql`split_part(${search}, E'\\n', 1)`

const toAccountOrPlatformCondition = (
  column: AnyColumn,
  level: 'account' | 'platform' | undefined,
): Conditions => {
  if (level === undefined) return []
  return [level === 'platform' ? sql`${column} is null` : sql`${column} is not null`]
}

const mirrorLists: { readonly [R in ListedResource]: MirrorList<ListIdOf<R>> } = {
  payments: {
    table: payments,
    sorts: {
      created_at: payments.createdAt,
      payment_date: payments.paymentDate,
      effective_at: payments.effectiveAt,
      id: payments.id,
      amount: payments.amount,
      updated_at: payments.updatedAt,
    },
    where: async (input, environment) => [
      ...inList(payments.paymentType, input.payment_type),
      ...inList(payments.status, input.payment_status),
      ...equals(payments.id, input.payment_id),
      ...equals(payments.externalId, input.external_id),
      ...equals(payments.customerId, input.customer_id),
      ...equals(payments.paykeyId, input.paykey_id),
      ...between(payments.amount, input.min_amount, input.max_amount),
      ...between(payments.paymentDate, input.min_payment_date, input.max_payment_date),
      ...betweenTimes(payments.createdAt, input.min_created_at, input.max_created_at),
      ...betweenTimes(payments.effectiveAt, input.min_effective_at, input.max_effective_at),
      ...betweenTimes(payments.updatedAt, input.min_updated_at, input.max_updated_at),
      ...arrayContains(payments.fundingIds, input.funding_id),
      ...inList(payments.statusReason, input.status_reason),
      ...inList(payments.statusSource, input.status_source),
      ...equalsValueOrIsNull(payments.isRefund, input.is_refund),
      ...equalsValueOrIsNull(payments.hasRefund, input.has_refund),
      ...equalsValueOrIsNull(payments.isResubmit, input.is_resubmit),
      ...equalsValueOrIsNull(payments.hasResubmit, input.has_resubmit),
      ...(await buildPaymentSearchConditions(environment, input.search_text)),
    ],
  },
  customers: {
    table: customers,
    sorts: { created_at: customers.createdAt, name: toCodePointOrder(customers.name) },
    where: (input) => [
      ...betweenTimes(customers.createdAt, input.created_from, input.created_to),
      ...containsText(toNameLine(customers.search), input.name),
      ...equals(customers.externalId, input.external_id),
      ...inList(customers.status, input.status),
      ...inList(customers.type, input.types),
      ...containsAllWords(customers, input.search_text),
    ],
  },
  paykeys: {
    table: paykeys,
    sorts: {
      created_at: paykeys.createdAt,
      expires_at: paykeys.expiresAt,
      institution_name: toCodePointOrder(paykeys.institutionName),
    },
    where: (input) => [
      ...equals(paykeys.customerId, input.customer_id),
      ...inList(paykeys.status, input.status),
      ...inList(paykeys.source, input.source),
      ...equals(paykeys.unblockEligible, input.unblock_eligible),
      ...betweenTimes(paykeys.createdAt, input.created_from, input.created_to),
      ...containsAllWords({ search: paykeys.search }, input.search_text),
    ],
  },
  funding_events: {
    table: events,
    sorts: { transfer_date: events.transferDate, amount: events.amount, id: events.id },
    where: (input) => [
      ...between(events.createdOn, input.created_from, input.created_to),
      ...equals(events.direction, input.direction),
      ...equals(events.eventType, input.event_type),
      ...arrayContains(events.traceNumbers, input.trace_number),
      ...arrayContains(events.traceIds, input.trace_id),
      ...inList(events.status, input.status),
      ...inList(events.statusReason, input.status_reason),
      ...inList(events.statusSource, input.status_source),
      ...containsAllWords({ search: events.search, amount: events.amount }, input.search_text),
    ],
  },
  accounts: {
    table: accounts,
    sorts: {
      id: accounts.id,
      name: toCodePointOrder(accounts.name),
      created_at: accounts.createdAt,
    },
    where: (input) => [
      ...equals(accounts.status, input.status),
      ...equals(accounts.type, input.type),
      ...equals(accounts.externalId, input.external_id),
      ...containsAllWords({ search: accounts.search }, input.search_text),
    ],
  },
  capability_requests: {
    table: requests,
    sorts: { id: requests.id, created_at: requests.createdAt },
    where: (input) => [
      ...equals(requests.type, input.type),
      ...equals(requests.category, input.category),
      ...equals(requests.status, input.status),
    ],
  },
  organizations: {
    table: organizations,
    sorts: {
      id: organizations.id,
      name: toCodePointOrder(organizations.name),
      created_at: organizations.createdAt,
    },
    where: (input) => [
      ...containsText(organizations.search, input.name),
      ...equals(organizations.externalId, input.external_id),
    ],
  },
  representatives: {
    table: representatives,
    sorts: {
      id: representatives.id,
      name: toCodePointOrder(representatives.name),
      created_at: representatives.createdAt,
    },
    where: (input, environment) => [
      ...equals(representatives.accountId, input.account_id),
      ...(input.organization_id === undefined
        ? []
        : [
            sql`${representatives.accountId} in (select a.id from ${accounts} a where a.environment = ${environment} and a.organization_id = ${input.organization_id})`,
          ]),
      // A representative without an account belongs to the platform. There is only one platform, so
      // the condition needs no id.
      ...toAccountOrPlatformCondition(representatives.accountId, input.level),
    ],
  },
  linked_bank_accounts: {
    table: linked,
    sorts: { id: linked.id, created_at: linked.createdAt },
    where: (input) => [
      ...equals(linked.accountId, input.account_id),
      ...toAccountOrPlatformCondition(linked.accountId, input.level),
      ...arrayContains(linked.purposes, input.purpose),
      ...equals(linked.status, input.status),
    ],
  },
}

export const findMirrorList = <K extends MirrorListId>(id: K): MirrorList<K> =>
  mirrorLists[toServiceResource(id) as ListedResource] as unknown as MirrorList<K>
