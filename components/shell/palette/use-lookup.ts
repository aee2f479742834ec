'use client'

import { type UseQueryOptions, type UseQueryResult, useQueries } from '@tanstack/react-query'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { CallAnswer } from '@/lib/client/call'
import type { PageContext } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import { useDebounced } from '@/lib/client/use-debounced'
import { type FindResult, type FoundTrace, toUnsearchedSources } from '@/lib/operations/find'
import { countSentRows, findTotalRowCount } from '@/lib/operations/list-count'
import type { Input, Output } from '@/lib/operations/registry'
import { getServiceOperation, type ReadId } from '@/lib/operations/service-operations'
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

/**
 * An id that was typed or pasted, in lower case. A bare UUID can belong to any record. With the
 * prefix `acct_` it is the id of an account.
 */
type FoundId = { id: string; isAccount: boolean }

/**
 * Returns the id that a text consists of, or null. Spaces and quotes around the id are ignored,
 * because copying often adds them.
 */
export function parseId(text: string): FoundId | null {
  const match = /^["'\s]*(acct_)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})["'\s]*$/i.exec(text)
  return match?.[2] ? { id: match[2].toLowerCase(), isAccount: match[1] !== undefined } : null
}

/**
 * A search term by its kind. `digits`: the last four digits of a bank account number. `key`: one
 * word, such as an external id, a request id, an idempotency key or a name. `words`: several words.
 */
type SearchTerm =
  | ({ kind: 'id' } & FoundId)
  | { kind: 'email' | 'digits' | 'key' | 'words'; text: string }

/**
 * Minimum length of a search term. A shorter term matches too many records to justify its requests,
 * which count toward the service's rate limit.
 */
const minTermLength = 4

/** Maximum length of a search term. All searches accept terms of this length. */
export const maxTermLength = 100

/**
 * Returns the search term in a text, or null if the text is too short or an incomplete email
 * address. Spaces and quotes around the term are ignored, because copying often adds them.
 */
export function parseTerm(typed: string): SearchTerm | null {
  const id = parseId(typed)
  if (id) return { kind: 'id', ...id }
  const text = typed.replace(/^["'\s]+|["'\s]+$/g, '').slice(0, maxTermLength)
  if (/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text)) return { kind: 'email', text }
  if (/^\d{4}$/.test(text)) return { kind: 'digits', text }
  // An incomplete email address is not searched. It matches no customer, and the other searches
  // would put it into a URL, which may be logged.
  if (text.length < minTermLength || text.includes('@')) return null
  return { kind: /\s/.test(text) ? 'words' : 'key', text }
}

/**
 * True if the person probably pasted the term. Such a term is searched at once. Any other term
 * waits for a pause in typing.
 */
export const isPasted = ({ kind }: SearchTerm): boolean => kind === 'id' || kind === 'digits'

/**
 * The result of one search: found records (`hits`), found actions and requests (`traces`), the
 * number of all matches (`total`), and the sources that could not be searched.
 */
type SearchResult = {
  hits: PaletteHit[]
  traces: FoundTrace[]
  total: number
  unsearched: FindResult['unsearched']
}

/**
 * One search.
 * - `what`: its name on the screen.
 * - `query`: the options of its request.
 * - `found`: the function that converts its response.
 * - `all`: the URL of a list with all matches, if there is one.
 * - `platform`: true if the search needs no account.
 */
type RecordSearch = {
  what: string
  query: SearchQuery
  found: SelectResult
  all?: string
  platform: boolean
}

type SearchScope = Pick<
  PageContext,
  'environment' | 'scope' | 'account' | 'amountUnit' | 'needsAccount'
>
type SearchQuery = UseQueryOptions<CallAnswer<unknown>>
type SelectResult = (answer: CallAnswer<unknown>) => SearchResult

/** Maximum number of matches that one search requests. */
const pageSize = 5

function buildSearch<K extends ReadId>(
  context: SearchScope,
  searchLabel: string,
  [id, input]: [K, Input<K>],
  hits: (data: Output<K>) => PaletteHit[],
  all?: string,
): RecordSearch {
  const toResult: SelectResult = ({ data, meta }) => {
    const foundHits = hits(data as Output<K>)
    const page = { data: Array.isArray(data) ? data : [data], meta }
    const unsearched = toUnsearchedSources(searchLabel, meta.unreadable_rows)
    return {
      hits: foundHits,
      traces: [],
      total: findTotalRowCount(page, { size: pageSize }) ?? countSentRows(page) + 1,
      unsearched,
    }
  }
  return {
    what: searchLabel,
    query: operationQuery(context, id, input),
    found: toResult,
    platform: getServiceOperation(id).scope === 'forbidden',
    ...(all ? { all } : {}),
  }
}

/**
 * Builds the search in Paydesk's own data. It finds actions and requests by one of their ids, and
 * customers by email address.
 */
function buildOwnSearch(context: SearchScope, searchLabel: string, text: string): RecordSearch {
  const selectResult: SelectResult = (answer) => {
    const { customers, traces, unsearched } = answer.data as FindResult
    return { hits: customers.map(toCustomerHit), traces, total: customers.length, unsearched }
  }
  return {
    what: searchLabel,
    query: operationQuery(context, 'find.search', { text }),
    found: selectResult,
    platform: searchLabel === traceSearchLabel,
  }
}

const traceSearchLabel = 'Paydesk actions and requests'

function searchById(context: SearchScope, id: string, isAccount: boolean): RecordSearch[] {
  const accountSearch = buildSearch(context, 'accounts', ['accounts.get', { id }], (data) => [
    toAccountHit(data),
  ])
  if (isAccount) return [accountSearch]
  const payment = (rows: Output<'payments.search'>) => toPaymentHits(rows, context.amountUnit)
  const paymentListHref = listPath(context, 'payments', { payment_id: id })
  return [
    buildSearch(
      context,
      'payments',
      ['payments.search', { payment_id: id, page_size: 1 }],
      payment,
      paymentListHref,
    ),
    buildSearch(context, 'customers', ['customers.get', { id }], (data) => [toCustomerHit(data)]),
    buildSearch(context, 'paykeys', ['paykeys.get', { id }], (data) => [toPaykeyHit(data)]),
    accountSearch,
    buildSearch(context, 'organizations', ['organizations.get', { id }], (data) => [
      toNamedHit('organizations', data),
    ]),
    buildSearch(context, 'representatives', ['representatives.get', { id }], (data) => [
      toNamedHit('representatives', data),
    ]),
    buildSearch(context, 'linked bank accounts', ['linked_bank_accounts.get', { id }], (data) => [
      toLinkedBankAccountHit(data),
    ]),
    buildSearch(context, 'funding events', ['funding_events.get', { id }], (data) => [
      toFundingEventHit(data, context.amountUnit),
    ]),
    buildOwnSearch(context, traceSearchLabel, id),
  ]
}

function searchPayments(
  context: SearchScope,
  searchLabel: string,
  searchFilter: { external_id: string } | { search_text: string },
): RecordSearch {
  const toHits = (rows: Output<'payments.search'>) => toPaymentHits(rows, context.amountUnit)
  const allMatchesHref = listPath(context, 'payments', searchFilter)
  return buildSearch(
    context,
    searchLabel,
    ['payments.search', { ...searchFilter, page_size: pageSize }],
    toHits,
    allMatchesHref,
  )
}

function searchCustomers(
  context: SearchScope,
  searchLabel: string,
  searchFilter: { external_id: string } | { search_text: string },
): RecordSearch {
  const all = listPath(context, 'customers', searchFilter)
  return buildSearch(
    context,
    searchLabel,
    ['customers.list', { ...searchFilter, page_size: pageSize }],
    (rows) => rows.map(toCustomerHit),
    all,
  )
}

function searchPaykeys(context: SearchScope, text: string): RecordSearch {
  const all = listPath(context, 'paykeys', { search_text: text })
  return buildSearch(
    context,
    'paykeys',
    ['paykeys.list', { search_text: text, page_size: pageSize }],
    (rows) => rows.map(toPaykeyHit),
    all,
  )
}

function searchOrganizations(
  context: SearchScope,
  searchLabel: string,
  searchFilter: { external_id: string } | { name: string },
): RecordSearch {
  const all = listPath(context, 'organizations', searchFilter)
  const hits = (rows: Output<'organizations.list'>) =>
    rows.map((row) => toNamedHit('organizations', row))
  return buildSearch(
    context,
    searchLabel,
    ['organizations.list', { ...searchFilter, page_size: pageSize }],
    hits,
    all,
  )
}

function searchByKey(context: SearchScope, text: string): RecordSearch[] {
  const accountQuery: [`accounts.list`, Input<'accounts.list'>] = [
    'accounts.list',
    { external_id: text, page_size: pageSize },
  ]
  return [
    searchPayments(context, 'payments by external ID', { external_id: text }),
    searchCustomers(context, 'customers by external ID', { external_id: text }),
    buildSearch(context, 'accounts by external ID', accountQuery, (rows) => rows.map(toAccountHit)),
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
      return [
        searchPaykeys(context, term.text),
        searchPayments(context, 'payments', { search_text: term.text }),
      ]
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
 * Returns the searches for a term in the current account scope. If the person must choose an
 * account first, only searches that need no account are returned. `unavailable` names the skipped
 * searches, so that a skipped search does not look like an empty result.
 */
function planLookup(
  context: SearchScope,
  term: SearchTerm,
): { searches: RecordSearch[]; unavailable: string[] } {
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
  /** Searches that have more matches than are shown, with the URL of all matches. */
  more: { what: string; total: number; path: string }[]
  searched: string[]
  failures: { what: string; why: string }[]
  busy: boolean
}

/**
 * Returns the term after a pause in typing, and null until then. A pasted term is returned at once.
 */
function useSettledTerm(term: SearchTerm | null): SearchTerm | null {
  const termKey = JSON.stringify(term)
  const settledTermKey = useDebounced(termKey, typingPauseMs)
  return term && (isPasted(term) || settledTermKey === termKey) ? term : null
}

const dedupeHits = (hits: PaletteHit[]): PaletteHit[] => [
  ...new Map(hits.map((hit) => [`${hit.resource}/${hit.id}`, hit])).values(),
]

/**
 * Moves hits whose title equals the search term to the front, because Enter opens the first hit.
 */
const sortExactFirst = (hits: PaletteHit[], term: SearchTerm | null): PaletteHit[] => {
  if (term?.kind !== 'words' && term?.kind !== 'key') return hits
  const isExactMatch = ({ title }: PaletteHit) =>
    title.localeCompare(term.text, 'en', { sensitivity: 'base' }) === 0
  return [...hits.filter(isExactMatch), ...hits.filter((hit) => !isExactMatch(hit))]
}

const readResult = (
  { found }: RecordSearch,
  result: UseQueryResult<CallAnswer<unknown>> | undefined,
) => (result?.data ? found(result.data) : null)

/**
 * Runs all searches for a term. A "not found" response counts as an empty result. Any other error
 * counts as a failed search, because the record may exist.
 */
export function useLookup(typedTerm: SearchTerm | null): Lookup {
  const context = usePageContext()
  const term = useSettledTerm(typedTerm)
  const { searches, unavailable } = term
    ? planLookup(context, term)
    : { searches: [], unavailable: [] }
  const results = useQueries({ queries: searches.map(({ query }) => query) })
  const searchStates = searches.map((each, at) => ({
    ...each,
    result: results[at],
    came: readResult(each, results[at]),
  }))
  const failedSearches = searchStates.filter(
    ({ result }) => result?.error && !notFoundCodes.has(result.error.code),
  )
  const searchResults = searchStates.flatMap(({ came }) => came ?? [])
  return {
    hits: sortExactFirst(dedupeHits(searchResults.flatMap(({ hits }) => hits)), term),
    traces: searchResults.flatMap(({ traces }) => traces),
    more: searchStates.flatMap(({ what, all: path, came }) => {
      const total = came?.total ?? 0
      return path && total > (came?.hits.length ?? 0) ? [{ what, total, path }] : []
    }),
    searched: searchStates
      .filter((each) => (each.result?.error ? !failedSearches.includes(each) : each.came))
      .map(({ what }) => what),
    failures: [
      ...failedSearches.map(({ what, result }) => ({ what, why: result?.error?.message ?? '' })),
      ...searchResults.flatMap(({ unsearched }) => unsearched),
      ...unavailable.map((what) => ({
        what,
        why: 'Choose an account first: you have access to single accounts, not the whole platform.',
      })),
    ],
    busy:
      (typedTerm !== null && term === null) ||
      searchStates.some(({ result }) => result?.isFetching),
  }
}
