import { queryOptions, type UseQueryOptions } from '@tanstack/react-query'
import type { CallError } from '@/lib/client/call-error'
import type { Desk } from '@/lib/client/desk'
import { read } from '@/lib/client/queries'
import { type CallAnswer, request } from '@/lib/client/request'
import type { Finding, FoundTrace } from '@/lib/operations/find'
import type { Input, Output } from '@/lib/operations/registry'
import { type ReadId, rowOf } from '@/lib/operations/rows'
import { findApiPath, listPath } from '@/lib/routes'
import type { Asked } from './asked'
import { accountHit, customerHit, fundingEventHit, type Hit, linkedBankAccountHit, namedHit, paykeyHit, paymentHit } from './hit'

/** What one search gave: objects, traces, how many more there are and where, and what it could not look into itself. */
export type Found = { hits: Hit[]; traces: FoundTrace[]; total: number; unsearched: Finding['unsearched'] }

/** One search of a lookup: what it searches, in words, and the query; `all` is the list that shows every match. */
export type Search = { what: string; query: Query; all?: string; platform: boolean }

type Scope = Pick<Desk, 'environment' | 'account' | 'amountUnit' | 'needsAccount'>
type Query = UseQueryOptions<CallAnswer<unknown>, CallError, Found>
type Select = (answer: CallAnswer<unknown>) => Found

/** Matches shown of one search; the rest is a list's business. */
const shown = 5

/** Reads of every operation as one type; `select` knows the one it was made for. */
const foundBy = (options: { queryKey: readonly unknown[] }, select: Select): Query => ({ ...(options as unknown as Query), select })

function search<K extends ReadId>(
  desk: Scope,
  what: string,
  [id, input]: [K, Input<K>],
  hits: (data: Output<K>) => Hit[],
  all?: string,
): Search {
  const select: Select = ({ data, meta }) => {
    const found = hits(data as Output<K>)
    return { hits: found, traces: [], total: meta.total_items ?? found.length, unsearched: [] }
  }
  return { what, query: foundBy(read(desk, id, input), select), platform: rowOf(id).scope === 'forbidden', ...(all ? { all } : {}) }
}

/** The desk's own search: traces by exact id, customers by e-mail. */
function ownSearch(desk: Scope, what: string, text: string): Search {
  const { environment, account } = desk
  const options = queryOptions<CallAnswer<Finding>, CallError>({
    queryKey: [environment, account ?? 'platform', 'find', text],
    queryFn: ({ signal }) =>
      request(findApiPath(environment, account), { method: 'GET', headers: { 'Find-Text': encodeURIComponent(text) }, signal }),
  })
  const select: Select = (answer) => {
    const { customers, traces, unsearched } = answer.data as Finding
    return { hits: customers.map(customerHit), traces, total: customers.length, unsearched }
  }
  return { what, query: foundBy(options, select), platform: what === traceWords }
}

const traceWords = 'actions and requests of this desk'

function byId(desk: Scope, id: string, isAccount: boolean): Search[] {
  const account = search(desk, 'accounts', ['accounts.get', { id }], (data) => [accountHit(data)])
  if (isAccount) return [account]
  const payment = (rows: Output<'payments.search'>) => rows.map((row) => paymentHit(row, row.payment_type === 'payout', desk.amountUnit))
  return [
    search(desk, 'payments', ['payments.search', { payment_id: id, page_size: 1 }], payment),
    search(desk, 'customers', ['customers.get', { id }], (data) => [customerHit(data)]),
    search(desk, 'paykeys', ['paykeys.get', { id }], (data) => [paykeyHit(data)]),
    account,
    search(desk, 'organizations', ['organizations.get', { id }], (data) => [namedHit('organizations', data)]),
    search(desk, 'representatives', ['representatives.get', { id }], (data) => [namedHit('representatives', data)]),
    search(desk, 'linked bank accounts', ['linked_bank_accounts.get', { id }], (data) => [linkedBankAccountHit(data)]),
    search(desk, 'funding events', ['funding_events.get', { id }], (data) => [fundingEventHit(data, desk.amountUnit)]),
    ownSearch(desk, traceWords, id),
  ]
}

function payments(desk: Scope, what: string, by: { external_id: string } | { search_text: string }): Search {
  const hits = (rows: Output<'payments.search'>) => rows.map((row) => paymentHit(row, row.payment_type === 'payout', desk.amountUnit))
  const all = listPath(desk.environment, 'payments', { account: desk.account, ...by })
  return search(desk, what, ['payments.search', { ...by, page_size: shown }], hits, all)
}

function customers(desk: Scope, what: string, by: { external_id: string } | { search_text: string }): Search {
  const all = listPath(desk.environment, 'customers', { account: desk.account, ...by })
  return search(desk, what, ['customers.list', { ...by, page_size: shown }], (rows) => rows.map(customerHit), all)
}

function paykeys(desk: Scope, text: string): Search {
  const all = listPath(desk.environment, 'paykeys', { account: desk.account, search_text: text })
  return search(desk, 'paykeys', ['paykeys.list', { search_text: text, page_size: shown }], (rows) => rows.map(paykeyHit), all)
}

function organizations(desk: Scope, what: string, by: { external_id: string } | { name: string }): Search {
  const all = listPath(desk.environment, 'organizations', { account: desk.account, ...by })
  const hits = (rows: Output<'organizations.list'>) => rows.map((row) => namedHit('organizations', row))
  return search(desk, what, ['organizations.list', { ...by, page_size: shown }], hits, all)
}

function byKey(desk: Scope, text: string): Search[] {
  const accounts: [`accounts.list`, Input<'accounts.list'>] = ['accounts.list', { external_id: text, page_size: shown }]
  return [
    payments(desk, 'payments by external id', { external_id: text }),
    customers(desk, 'customers by external id', { external_id: text }),
    search(desk, 'accounts by external id', accounts, (rows) => rows.map(accountHit)),
    organizations(desk, 'organizations by external id', { external_id: text }),
    customers(desk, 'customers by name', { search_text: text }),
    ownSearch(desk, traceWords, text),
  ]
}

function all(desk: Scope, asked: Asked): Search[] {
  switch (asked.kind) {
    case 'id':
      return byId(desk, asked.id, asked.isAccount)
    case 'email':
      return [ownSearch(desk, 'customers by e-mail', asked.text)]
    case 'digits':
      return [paykeys(desk, asked.text), payments(desk, 'payments', { search_text: asked.text })]
    case 'key':
      return byKey(desk, asked.text)
    case 'words':
      return [
        customers(desk, 'customers', { search_text: asked.text }),
        payments(desk, 'payments', { search_text: asked.text }),
        organizations(desk, 'organizations', { name: asked.text }),
      ]
  }
}

/**
 * Every search a text is worth, in the present scope. Without a scope only what belongs to the platform can be asked; the names of the others
 * come back as `closed`, so that silence never reads as absence.
 */
export function lookupPlan(desk: Scope, asked: Asked): { searches: Search[]; closed: string[] } {
  const planned = all(desk, asked)
  if (!desk.needsAccount) return { searches: planned, closed: [] }
  return {
    searches: planned.filter((each) => each.platform),
    closed: planned.filter((each) => !each.platform).map((each) => each.what),
  }
}
