'use client'

import { type UseQueryOptions, type UseQueryResult, useQueries } from '@tanstack/react-query'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { CallAnswer } from '@/lib/client/call'
import type { PageContext } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import { useDebounced } from '@/lib/client/use-debounced'
import { type FindResult, type FoundTrace, toUnsearched } from '@/lib/operations/find'
import { countSentRows, findTotal } from '@/lib/operations/list-count'
import type { Input, Output } from '@/lib/operations/registry'
import { type ReadId, serviceOperation } from '@/lib/operations/service-operations'
import { listPath } from '@/lib/routes'
import {
  type PaletteHit,
  toAccountHit,
  toCustomerHit,
  toFundingEventHit,
  toLinkedBankAccountHit,
  toNamedHit,
  toPaykeyHit,
  toPaymentHits,
} from './hit'

/** A pasted id, in lower case. A UUID can belong to any record; with the prefix `acct_` it is an account's. */
type FoundId = { id: string; isAccount: boolean }

/** Returns the id in a text, or null. Spaces and quotes around it are ignored, because copying often adds them. */
export function parseId(text: string): FoundId | null {
  const match = /^["'\s]*(acct_)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})["'\s]*$/i.exec(text)
  return match?.[2] ? { id: match[2].toLowerCase(), isAccount: match[1] !== undefined } : null
}

/**
 * A search term. A `key` is one word: an external id, request id, idempotency key or name. `digits` are the last four of a bank account.
 */
type SearchTerm = ({ kind: 'id' } & FoundId) | { kind: 'email' | 'digits' | 'key' | 'words'; text: string }

/** Minimum length of a term. A shorter one matches too much to justify its calls under the shared rate limit. */
const minTermLength = 4

/** Maximum length of a term that every search accepts. */
export const maxTermLength = 100

/** Returns the search term in a text; null if it is too short. Spaces and quotes around it are ignored, because copying adds them. */
export function parseTerm(typed: string): SearchTerm | null {
  const id = parseId(typed)
  if (id) return { kind: 'id', ...id }
  const text = typed.replace(/^["'\s]+|["'\s]+$/g, '').slice(0, maxTermLength)
  if (/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text)) return { kind: 'email', text }
  if (/^\d{4}$/.test(text)) return { kind: 'digits', text }
  // An incomplete email address matches no customer, and no other search may receive it.
  if (text.length < minTermLength || text.includes('@')) return null
  return { kind: /\s/.test(text) ? 'words' : 'key', text }
}

/** True if the term was probably pasted. It is then searched at once; others wait for a pause in typing. */
export const isPasted = ({ kind }: SearchTerm): boolean => kind === 'id' || kind === 'digits'

/** The result of one search: records, traces, the total, and what could not be searched. */
type SearchResult = { hits: PaletteHit[]; traces: FoundTrace[]; total: number; unsearched: FindResult['unsearched'] }

/**
 * A search: its name (`what`), its query, the function that reads a response (`found`), and the URL of all matches (`all`). `platform` is
 * true if it needs no account.
 */
type RecordSearch = { what: string; query: SearchQuery; found: SelectResult; all?: string; platform: boolean }

type SearchScope = Pick<PageContext, 'environment' | 'scope' | 'account' | 'amountUnit' | 'needsAccount'>
type SearchQuery = UseQueryOptions<CallAnswer<unknown>>
type SelectResult = (answer: CallAnswer<unknown>) => SearchResult

/** Maximum number of matches of one search. */
const pageSize = 5

function buildSearch<K extends ReadId>(
  context: SearchScope,
  what: string,
  [id, input]: [K, Input<K>],
  hits: (data: Output<K>) => PaletteHit[],
  all?: string,
): RecordSearch {
  const toResult: SelectResult = ({ data, meta }) => {
    const foundHits = hits(data as Output<K>)
    const page = { data: Array.isArray(data) ? data : [data], meta }
    const unsearched = toUnsearched(what, meta.unreadable_rows)
    return { hits: foundHits, traces: [], total: findTotal(page, { size: pageSize }) ?? countSentRows(page) + 1, unsearched }
  }
  return {
    what,
    query: operationQuery(context, id, input),
    found: toResult,
    platform: serviceOperation(id).scope === 'forbidden',
    ...(all ? { all } : {}),
  }
}

/** Returns Paydesk's own search, which finds traces by exact id and customers by email. */
function buildOwnSearch(context: SearchScope, what: string, text: string): RecordSearch {
  const selectResult: SelectResult = (answer) => {
    const { customers, traces, unsearched } = answer.data as FindResult
    return { hits: customers.map(toCustomerHit), traces, total: customers.length, unsearched }
  }
  return { what, query: operationQuery(context, 'find.search', { text }), found: selectResult, platform: what === traceSearchLabel }
}

const traceSearchLabel = 'Paydesk actions and requests'

function searchById(context: SearchScope, id: string, isAccount: boolean): RecordSearch[] {
  const account = buildSearch(context, 'accounts', ['accounts.get', { id }], (data) => [toAccountHit(data)])
  if (isAccount) return [account]
  const payment = (rows: Output<'payments.search'>) => toPaymentHits(rows, context.amountUnit)
  const paymentListHref = listPath(context, 'payments', { payment_id: id })
  return [
    buildSearch(context, 'payments', ['payments.search', { payment_id: id, page_size: 1 }], payment, paymentListHref),
    buildSearch(context, 'customers', ['customers.get', { id }], (data) => [toCustomerHit(data)]),
    buildSearch(context, 'paykeys', ['paykeys.get', { id }], (data) => [toPaykeyHit(data)]),
    account,
    buildSearch(context, 'organizations', ['organizations.get', { id }], (data) => [toNamedHit('organizations', data)]),
    buildSearch(context, 'representatives', ['representatives.get', { id }], (data) => [toNamedHit('representatives', data)]),
    buildSearch(context, 'linked bank accounts', ['linked_bank_accounts.get', { id }], (data) => [toLinkedBankAccountHit(data)]),
    buildSearch(context, 'funding events', ['funding_events.get', { id }], (data) => [toFundingEventHit(data, context.amountUnit)]),
    buildOwnSearch(context, traceSearchLabel, id),
  ]
}

function searchPayments(context: SearchScope, what: string, by: { external_id: string } | { search_text: string }): RecordSearch {
  const toHits = (rows: Output<'payments.search'>) => toPaymentHits(rows, context.amountUnit)
  const allMatchesHref = listPath(context, 'payments', by)
  return buildSearch(context, what, ['payments.search', { ...by, page_size: pageSize }], toHits, allMatchesHref)
}

function searchCustomers(context: SearchScope, what: string, by: { external_id: string } | { search_text: string }): RecordSearch {
  const all = listPath(context, 'customers', by)
  return buildSearch(context, what, ['customers.list', { ...by, page_size: pageSize }], (rows) => rows.map(toCustomerHit), all)
}

function searchPaykeys(context: SearchScope, text: string): RecordSearch {
  const all = listPath(context, 'paykeys', { search_text: text })
  return buildSearch(context, 'paykeys', ['paykeys.list', { search_text: text, page_size: pageSize }], (rows) => rows.map(toPaykeyHit), all)
}

function searchOrganizations(context: SearchScope, what: string, by: { external_id: string } | { name: string }): RecordSearch {
  const all = listPath(context, 'organizations', by)
  const hits = (rows: Output<'organizations.list'>) => rows.map((row) => toNamedHit('organizations', row))
  return buildSearch(context, what, ['organizations.list', { ...by, page_size: pageSize }], hits, all)
}

function searchByKey(context: SearchScope, text: string): RecordSearch[] {
  const accounts: [`accounts.list`, Input<'accounts.list'>] = ['accounts.list', { external_id: text, page_size: pageSize }]
  return [
    searchPayments(context, 'payments by external ID', { external_id: text }),
    searchCustomers(context, 'customers by external ID', { external_id: text }),
    buildSearch(context, 'accounts by external ID', accounts, (rows) => rows.map(toAccountHit)),
    searchOrganizations(context, 'organizations by external ID', { external_id: text }),
    searchCustomers(context, 'customers by name', { search_text: text }),
    buildOwnSearch(context, traceSearchLabel, text),
  ]
}

function planSearches(context: SearchScope, term: SearchTerm): RecordSearch[] {
  switch (term.kind) {
    case 'id':
      return searchById(context, term.id, term.isAccount)
    case 'email':
      return [buildOwnSearch(context, 'customers by email', term.text)]
    case 'digits':
      return [searchPaykeys(context, term.text), searchPayments(context, 'payments', { search_text: term.text })]
    case 'key':
      return searchByKey(context, term.text)
    case 'words':
      return [
        searchCustomers(context, 'customers', { search_text: term.text }),
        searchPayments(context, 'payments', { search_text: term.text }),
        searchOrganizations(context, 'organizations', { name: term.text }),
      ]
  }
}

/**
 * Returns the searches for a term in the current scope. If an account must be chosen first, only platform records can be searched.
 * `unavailable` are the names of the other searches, because a skipped search is not an empty result.
 */
function planLookup(context: SearchScope, term: SearchTerm): { searches: RecordSearch[]; unavailable: string[] } {
  const plannedSearches = planSearches(context, term)
  if (!context.needsAccount) return { searches: plannedSearches, unavailable: [] }
  return {
    searches: plannedSearches.filter((each) => each.platform),
    unavailable: plannedSearches.filter((each) => !each.platform).map((each) => each.what),
  }
}

const typingPauseMs = 350
const notFoundCodes = new Set(['service_not_found', 'not_found'])

export type Lookup = {
  hits: PaletteHit[]
  traces: FoundTrace[]
  /** Searches with more matches than shown, and the URL of all matches. */
  more: { what: string; total: number; path: string }[]
  searched: string[]
  failures: { what: string; why: string }[]
  busy: boolean
}

/** Returns the term after a pause in typing, null until then. A pasted term is returned at once. */
function useSettledTerm(term: SearchTerm | null): SearchTerm | null {
  const name = JSON.stringify(term)
  const settledName = useDebounced(name, typingPauseMs)
  return term && (isPasted(term) || settledName === name) ? term : null
}

const dedupeHits = (hits: PaletteHit[]): PaletteHit[] => [...new Map(hits.map((hit) => [`${hit.resource}/${hit.id}`, hit])).values()]

/** Returns the hits with exact name matches first, because Enter opens the first hit. */
const sortExactFirst = (hits: PaletteHit[], term: SearchTerm | null): PaletteHit[] => {
  if (term?.kind !== 'words' && term?.kind !== 'key') return hits
  const isExactMatch = ({ title }: PaletteHit) => title.localeCompare(term.text, 'en', { sensitivity: 'base' }) === 0
  return [...hits.filter(isExactMatch), ...hits.filter((hit) => !isExactMatch(hit))]
}

const readResult = ({ found }: RecordSearch, result: UseQueryResult<CallAnswer<unknown>> | undefined) =>
  result?.data ? found(result.data) : null

/** Runs all searches for a term. "Not found" is a result. Any other error is a failure, because the record may exist. */
export function useLookup(typed: SearchTerm | null): Lookup {
  const context = usePageContext()
  const term = useSettledTerm(typed)
  const { searches, unavailable } = term ? planLookup(context, term) : { searches: [], unavailable: [] }
  const results = useQueries({ queries: searches.map(({ query }) => query) })
  const searchStates = searches.map((each, at) => ({ ...each, result: results[at], came: readResult(each, results[at]) }))
  const failedSearches = searchStates.filter(({ result }) => result?.error && !notFoundCodes.has(result.error.code))
  const searchResults = searchStates.flatMap(({ came }) => came ?? [])
  return {
    hits: sortExactFirst(dedupeHits(searchResults.flatMap(({ hits }) => hits)), term),
    traces: searchResults.flatMap(({ traces }) => traces),
    more: searchStates.flatMap(({ what, all: path, came }) => {
      const total = came?.total ?? 0
      return path && total > (came?.hits.length ?? 0) ? [{ what, total, path }] : []
    }),
    searched: searchStates.filter((each) => (each.result?.error ? !failedSearches.includes(each) : each.came)).map(({ what }) => what),
    failures: [
      ...failedSearches.map(({ what, result }) => ({ what, why: result?.error?.message ?? '' })),
      ...searchResults.flatMap(({ unsearched }) => unsearched),
      ...unavailable.map((what) => ({ what, why: 'Choose an account first: you have access to single accounts, not the whole platform.' })),
    ],
    busy: (typed !== null && term === null) || searchStates.some(({ result }) => result?.isFetching),
  }
}
