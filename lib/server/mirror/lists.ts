import 'server-only'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import type { schemas } from '@/lib/operations/registry'
import { type MirrorListId, resourceOf } from '@/lib/operations/service-operations'
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
import { among, between, betweenTimes, type Conditions, containing, containingAll, equals, having, unlessContradicted } from './conditions'
import { paymentSearch } from './payment-search'

type ListIdOf<R extends Listed> = Extract<MirrorListId, `${R}.${string}`>
type Listed = MirrorListId extends `${infer R}.${string}` ? R : never

/** The input of a list, parsed by the operation's schema. */
export type ListInput<K extends MirrorListId> = (typeof schemas)[K]['input']['_output']

type Columns = { id: AnyColumn; environment: AnyColumn; accountId: AnyColumn; object: AnyColumn; seenAt: AnyColumn }

type List<K extends MirrorListId = MirrorListId> = {
  table: PgTable & Columns
  /** The column of each sort key. */
  sorts: Readonly<Record<ListInput<K>['sort_by'], AnyColumn | SQL>>
  where: (asked: ListInput<K>, environment: Environment) => Conditions | Promise<Conditions>
}

/** Sorts names by code point, like the service, whatever the database's collation. */
const byLetters = (column: AnyColumn): SQL => sql`${column} collate "C"`

const ofLevel = (column: AnyColumn, level: 'account' | 'platform' | undefined): Conditions => {
  if (level === undefined) return []
  return [level === 'platform' ? sql`${column} is null` : sql`${column} is not null`]
}

const lists: { readonly [R in Listed]: List<ListIdOf<R>> } = {
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
    where: async (asked, environment) => [
      ...among(payments.paymentType, asked.payment_type),
      ...among(payments.status, asked.payment_status),
      ...equals(payments.id, asked.payment_id),
      ...equals(payments.externalId, asked.external_id),
      ...equals(payments.customerId, asked.customer_id),
      ...equals(payments.paykeyId, asked.paykey_id),
      ...between(payments.amount, asked.min_amount, asked.max_amount),
      ...between(payments.paymentDate, asked.min_payment_date, asked.max_payment_date),
      ...betweenTimes(payments.createdAt, asked.min_created_at, asked.max_created_at),
      ...betweenTimes(payments.effectiveAt, asked.min_effective_at, asked.max_effective_at),
      ...betweenTimes(payments.updatedAt, asked.min_updated_at, asked.max_updated_at),
      ...having(payments.fundingIds, asked.funding_id),
      ...among(payments.statusReason, asked.status_reason),
      ...among(payments.statusSource, asked.status_source),
      ...unlessContradicted(payments.isRefund, asked.is_refund),
      ...unlessContradicted(payments.hasRefund, asked.has_refund),
      ...unlessContradicted(payments.isResubmit, asked.is_resubmit),
      ...unlessContradicted(payments.hasResubmit, asked.has_resubmit),
      ...(await paymentSearch(environment, asked.search_text)),
    ],
  },
  customers: {
    table: customers,
    sorts: { created_at: customers.createdAt, name: byLetters(customers.name) },
    where: (asked) => [
      ...betweenTimes(customers.createdAt, asked.created_from, asked.created_to),
      ...containing(customers.name, asked.name),
      ...equals(customers.externalId, asked.external_id),
      ...among(customers.status, asked.status),
      ...among(customers.type, asked.types),
      ...containingAll(customers.search, asked.search_text),
    ],
  },
  paykeys: {
    table: paykeys,
    sorts: { created_at: paykeys.createdAt, expires_at: paykeys.expiresAt, institution_name: byLetters(paykeys.institutionName) },
    where: (asked) => [
      ...equals(paykeys.customerId, asked.customer_id),
      ...among(paykeys.status, asked.status),
      ...among(paykeys.source, asked.source),
      ...equals(paykeys.unblockEligible, asked.unblock_eligible),
      ...betweenTimes(paykeys.createdAt, asked.created_from, asked.created_to),
      ...containingAll(paykeys.search, asked.search_text),
    ],
  },
  funding_events: {
    table: events,
    sorts: { transfer_date: events.transferDate, amount: events.amount, id: events.id },
    where: (asked) => [
      ...between(events.createdOn, asked.created_from, asked.created_to),
      ...equals(events.direction, asked.direction),
      ...equals(events.eventType, asked.event_type),
      ...having(events.traceNumbers, asked.trace_number),
      ...having(events.traceIds, asked.trace_id),
      ...among(events.status, asked.status),
      ...among(events.statusReason, asked.status_reason),
      ...among(events.statusSource, asked.status_source),
      ...containingAll(events.search, asked.search_text),
    ],
  },
  accounts: {
    table: accounts,
    sorts: { id: accounts.id, name: byLetters(accounts.name), created_at: accounts.createdAt },
    where: (asked) => [
      ...equals(accounts.status, asked.status),
      ...equals(accounts.type, asked.type),
      ...equals(accounts.externalId, asked.external_id),
      ...containingAll(accounts.search, asked.search_text),
    ],
  },
  capability_requests: {
    table: requests,
    sorts: { id: requests.id, created_at: requests.createdAt },
    where: (asked) => [
      ...equals(requests.type, asked.type),
      ...equals(requests.category, asked.category),
      ...equals(requests.status, asked.status),
    ],
  },
  organizations: {
    table: organizations,
    sorts: { id: organizations.id, name: byLetters(organizations.name), created_at: organizations.createdAt },
    where: (asked) => [...containing(organizations.name, asked.name), ...equals(organizations.externalId, asked.external_id)],
  },
  representatives: {
    table: representatives,
    sorts: { id: representatives.id, name: byLetters(representatives.name), created_at: representatives.createdAt },
    where: (asked, environment) => [
      ...equals(representatives.accountId, asked.account_id),
      ...(asked.organization_id === undefined
        ? []
        : [
            sql`${representatives.accountId} in (select a.id from ${accounts} a where a.environment = ${environment} and a.organization_id = ${asked.organization_id})`,
          ]),
      // The account is null for representatives of the platform, of which there is only one.
      ...ofLevel(representatives.accountId, asked.level),
    ],
  },
  linked_bank_accounts: {
    table: linked,
    sorts: { id: linked.id, created_at: linked.createdAt },
    where: (asked) => [
      ...equals(linked.accountId, asked.account_id),
      ...ofLevel(linked.accountId, asked.level),
      ...having(linked.purposes, asked.purpose),
      ...equals(linked.status, asked.status),
    ],
  },
}

export const listOf = <K extends MirrorListId>(id: K): List<K> => lists[resourceOf(id) as Listed] as unknown as List<K>
