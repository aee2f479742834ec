import type { UseQueryOptions } from '@tanstack/react-query'
import type { CallAnswer } from '@/lib/client/call'
import type { PageContext } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import { type FindResult, type FoundTrace, toUnsearchedSources } from '@/lib/operations/find'
import { countServiceRows, findTotalRowCount } from '@/lib/operations/list-count'
import type { Input, Output } from '@/lib/operations/registry'
import {
  getServiceOperation,
  isOperationOf,
  type ReadId,
} from '@/lib/operations/service-operations'
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
import type { SearchTerm } from './search-term'

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
export type RecordSearchPlan = {
  what: string
  query: SearchQuery
  found: ResultSelector
  all?: string
  platform: boolean
}

type RecordSearchContext = Pick<
  PageContext,
  'environment' | 'scope' | 'account' | 'amountUnit' | 'integration' | 'needsAccount'
>
type SearchQuery = UseQueryOptions<CallAnswer<unknown>>
type ResultSelector = (answer: CallAnswer<unknown>) => SearchResult

/** Maximum number of matches that one search requests. */
const pageSize = 5

function buildRecordSearch<K extends ReadId>(
  context: RecordSearchContext,
  searchLabel: string,
  [id, input]: [K, Input<K>],
  convertToHits: (data: Output<K>) => PaletteHit[],
  allResultsHref?: string,
): RecordSearchPlan {
  const toResult: ResultSelector = ({ data, meta }) => {
    const foundHits = convertToHits(data as Output<K>)
    const resultPage = { data: Array.isArray(data) ? data : [data], meta }
    const unsearchedSources = toUnsearchedSources(searchLabel, meta.unreadable_rows)
    return {
      hits: foundHits,
      traces: [],
      total: findTotalRowCount(resultPage, { size: pageSize }) ?? countServiceRows(resultPage) + 1,
      unsearched: unsearchedSources,
    }
  }
  return {
    what: searchLabel,
    query: operationQuery(context, id, input),
    found: toResult,
    platform: getServiceOperation(id).accountFrom !== undefined,
    ...(allResultsHref ? { all: allResultsHref } : {}),
  }
}

/**
 * Builds the search in Paydesk's own data. It finds actions and requests by one of their ids, and
 * customers by email address.
 */
function buildPaydeskSearch(
  context: RecordSearchContext,
  searchLabel: string,
  text: string,
): RecordSearchPlan {
  const selectResult: ResultSelector = (answer) => {
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

function buildIdSearches(
  context: RecordSearchContext,
  id: string,
  isAccount: boolean,
): RecordSearchPlan[] {
  const accountSearch = buildRecordSearch(context, 'accounts', ['accounts.get', { id }], (data) => [
    toAccountHit(data),
  ])
  if (isAccount) return [accountSearch]
  const convertPaymentRows = (rows: Output<'payments.search'>) =>
    toPaymentHits(rows, context.amountUnit)
  const paymentListHref = listPath(context, 'payments', { payment_id: id })
  return [
    buildRecordSearch(
      context,
      'payments',
      ['payments.search', { payment_id: id, page_size: 1 }],
      convertPaymentRows,
      paymentListHref,
    ),
    buildRecordSearch(context, 'customers', ['customers.get', { id }], (data) => [
      toCustomerHit(data),
    ]),
    buildRecordSearch(context, 'paykeys', ['paykeys.get', { id }], (data) => [toPaykeyHit(data)]),
    accountSearch,
    buildRecordSearch(context, 'organizations', ['organizations.get', { id }], (data) => [
      toNamedHit('organizations', data),
    ]),
    buildRecordSearch(context, 'representatives', ['representatives.get', { id }], (data) => [
      toNamedHit('representatives', data),
    ]),
    buildRecordSearch(
      context,
      'linked bank accounts',
      ['linked_bank_accounts.get', { id }],
      (data) => [toLinkedBankAccountHit(data)],
    ),
    buildRecordSearch(context, 'funding events', ['funding_events.get', { id }], (data) => [
      toFundingEventHit(data, context.amountUnit),
    ]),
    buildPaydeskSearch(context, traceSearchLabel, id),
  ]
}

function buildPaymentSearch(
  context: RecordSearchContext,
  searchLabel: string,
  searchFilter: { external_id: string } | { search_text: string },
): RecordSearchPlan {
  const toHits = (rows: Output<'payments.search'>) => toPaymentHits(rows, context.amountUnit)
  const allMatchesHref = listPath(context, 'payments', searchFilter)
  return buildRecordSearch(
    context,
    searchLabel,
    ['payments.search', { ...searchFilter, page_size: pageSize }],
    toHits,
    allMatchesHref,
  )
}

function buildCustomerSearch(
  context: RecordSearchContext,
  searchLabel: string,
  searchFilter: { external_id: string } | { search_text: string },
): RecordSearchPlan {
  const allCustomersHref = listPath(context, 'customers', searchFilter)
  return buildRecordSearch(
    context,
    searchLabel,
    ['customers.list', { ...searchFilter, page_size: pageSize }],
    (rows) => rows.map(toCustomerHit),
    allCustomersHref,
  )
}

function buildPaykeySearch(context: RecordSearchContext, text: string): RecordSearchPlan {
  const allPaykeysHref = listPath(context, 'paykeys', { search_text: text })
  return buildRecordSearch(
    context,
    'paykeys',
    ['paykeys.list', { search_text: text, page_size: pageSize }],
    (rows) => rows.map(toPaykeyHit),
    allPaykeysHref,
  )
}

const buildFundingSearch = (context: RecordSearchContext, text: string): RecordSearchPlan =>
  buildRecordSearch(
    context,
    'funding events',
    ['funding_events.list', { search_text: text, page_size: pageSize }],
    (rows) => rows.map((row) => toFundingEventHit(row, context.amountUnit)),
    listPath(context, 'funding_events', { search_text: text }),
  )

/** A direct account has no organizations. */
function buildOrganizationSearches(
  context: RecordSearchContext,
  searchLabel: string,
  searchFilter: { external_id: string } | { name: string },
): RecordSearchPlan[] {
  if (!isOperationOf('organizations.list', context.integration)) return []
  const allOrganizationsHref = listPath(context, 'organizations', searchFilter)
  const convertOrganizationRows = (rows: Output<'organizations.list'>) =>
    rows.map((row) => toNamedHit('organizations', row))
  return [
    buildRecordSearch(
      context,
      searchLabel,
      ['organizations.list', { ...searchFilter, page_size: pageSize }],
      convertOrganizationRows,
      allOrganizationsHref,
    ),
  ]
}

/** A trace number has only digits. */
const isTraceNumber = (text: string): boolean => /^\d{6,}$/.test(text)

function buildKeySearches(context: RecordSearchContext, text: string): RecordSearchPlan[] {
  const accountQuery: [`accounts.list`, Input<'accounts.list'>] = [
    'accounts.list',
    { external_id: text, page_size: pageSize },
  ]
  return [
    buildPaymentSearch(context, 'payments by external ID', { external_id: text }),
    buildPaymentSearch(context, 'payments', { search_text: text }),
    ...(isTraceNumber(text) ? [buildFundingSearch(context, text)] : []),
    buildCustomerSearch(context, 'customers by external ID', { external_id: text }),
    buildRecordSearch(context, 'accounts by external ID', accountQuery, (rows) =>
      rows.map(toAccountHit),
    ),
    ...buildOrganizationSearches(context, 'organizations by external ID', { external_id: text }),
    buildCustomerSearch(context, 'customers by name', { search_text: text }),
    buildPaydeskSearch(context, traceSearchLabel, text),
  ]
}

function planSearches(context: RecordSearchContext, term: SearchTerm): RecordSearchPlan[] {
  switch (term.kind) {
    case 'id':
      return buildIdSearches(context, term.id, term.isAccount)
    case 'email':
      return [buildPaydeskSearch(context, 'customers by email', term.text)]
    case 'amount':
      return [
        buildPaymentSearch(context, 'payments', { search_text: term.text }),
        buildFundingSearch(context, term.text),
      ]
    case 'digits':
      return [
        buildPaykeySearch(context, term.text),
        buildPaymentSearch(context, 'payments', { search_text: term.text }),
      ]
    case 'key':
      return buildKeySearches(context, term.text)
    case 'words':
      return [
        buildCustomerSearch(context, 'customers', { search_text: term.text }),
        buildPaymentSearch(context, 'payments', { search_text: term.text }),
        ...buildOrganizationSearches(context, 'organizations', { name: term.text }),
      ]
  }
}

/**
 * Returns the searches for a term in the current account scope. If the person must choose an
 * account first, only searches that need no account are returned. `unavailable` names the skipped
 * searches, so that a skipped search does not look like an empty result.
 */
export function planLookup(
  context: RecordSearchContext,
  term: SearchTerm,
): { searches: RecordSearchPlan[]; unavailable: string[] } {
  const plannedSearches = planSearches(context, term)
  if (!context.needsAccount) return { searches: plannedSearches, unavailable: [] }
  return {
    searches: plannedSearches.filter((each) => each.platform),
    unavailable: plannedSearches.filter((each) => !each.platform).map((each) => each.what),
  }
}
