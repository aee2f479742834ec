'use client'

import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { formatSearchResult } from '@/components/kits/form/combobox-field'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { CallAnswer } from '@/lib/client/call'
import type { CallError } from '@/lib/client/call-error'
import { belongsToPlatform, type CallScope } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import { useDebounced } from '@/lib/client/use-debounced'
import type { CustomerSummary } from '@/lib/operations/customers.schema'
import { countServiceRows, type ListPage } from '@/lib/operations/list-count'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'

/** Maximum number of results of each search. */
const pageSize = 6
/** Maximum number of bank accounts that are listed for one customer. */
const maxPaykeys = 50

const customerNouns = { one: 'customer', many: 'customers' }
const paykeyNouns = { one: 'bank account', many: 'bank accounts' }

type QueryState = { isFetching: boolean; error: CallError | null; refetch: () => unknown }

type PaykeySearchState = {
  customers: readonly CustomerSummary[]
  /** Bank accounts whose label matches the search. */
  labelled: readonly PaykeySummary[]
  /**
   * The customer whose bank accounts are listed: the one that the person opened, or the only search
   * result.
   */
  owner: CustomerSummary | undefined
  owned: readonly PaykeySummary[]
  failed: { error: CallError; again: () => void } | null
  status: string
}

/**
 * Searches customers by name and bank accounts by label. If a customer is opened or is the only
 * result, lists its bank accounts. If they belong to the platform, finds those without a payment of
 * the account as well, so that a first payment can be made.
 */
export function usePaykeySearch(
  account: string | null,
  text: string,
  opened: CustomerSummary | null,
): PaykeySearchState {
  const context = usePageContext()
  const owner = belongsToPlatform(context, 'paykeys') ? null : account
  const accountContext = { ...context, account: owner }
  const { customers, labelled, only, ...search } = useNameAndLabelSearch(
    accountContext,
    text,
    opened === null,
  )
  const customerWithShownPaykeys = opened ?? only
  const { owned, ...ofOwner } = useCustomerPaykeys(accountContext, customerWithShownPaykeys?.id)
  const queryStates: readonly QueryState[] = [...search.readings, ...ofOwner.readings]
  const failedQuery = queryStates.find(({ error }) => error !== null)
  const isSearching = search.waits || queryStates.some(({ isFetching }) => isFetching)
  const statusText = failedQuery ? '' : customerWithShownPaykeys ? ofOwner.said : search.said
  return {
    customers: customerWithShownPaykeys ? [] : customers,
    labelled: labelled.filter(({ id }) => owned.every((paykey) => paykey.id !== id)),
    owner: customerWithShownPaykeys,
    owned,
    failed: failedQuery?.error
      ? { error: failedQuery.error, again: () => void failedQuery.refetch() }
      : null,
    status: isSearching ? 'Searching…' : statusText,
  }
}

function useNameAndLabelSearch(scope: CallScope, text: string, isSearch: boolean) {
  const searchText = useDebounced(text, 300)
  const firstPageSearchInput = {
    page_number: 1,
    page_size: pageSize,
    ...(searchText === '' ? {} : { search_text: searchText }),
  }
  const customersFoundByName = useRowsQuery(
    operationQuery(scope, 'customers.list', firstPageSearchInput),
    isSearch,
  )
  const paykeysFoundByLabel = useRowsQuery(
    operationQuery(scope, 'paykeys.list', firstPageSearchInput),
    isSearch && searchText !== '',
  )
  const resultCountTexts = [
    formatSearchResult(customersFoundByName.page, pageSize, customerNouns, searchText !== ''),
    formatSearchResult(paykeysFoundByLabel.page, pageSize, paykeyNouns, searchText !== ''),
  ]
  return {
    customers: customersFoundByName.rows,
    // `page` is undefined while the rows of the last search are still shown, so that an old result
    // never selects a customer.
    only:
      customersFoundByName.page?.data.length === 1 ? customersFoundByName.page.data[0] : undefined,
    labelled: paykeysFoundByLabel.rows,
    readings: [...customersFoundByName.readings, ...paykeysFoundByLabel.readings],
    waits: isSearch && searchText !== text,
    said:
      searchText === '' && isEmptyPage(customersFoundByName.page)
        ? 'This account has no customers yet.'
        : resultCountTexts.join(' ').trim(),
  }
}

/**
 * Reads a list if `isEnabled`. The rows of the last search stay until the next response, so that a
 * highlighted row does not disappear.
 */
function useRowsQuery<T>(options: UseQueryOptions<CallAnswer<T[]>>, isEnabled: boolean) {
  const rowsQuery = useQuery({ ...options, enabled: isEnabled, placeholderData: keepPreviousData })
  if (!isEnabled) return { rows: [], page: undefined, readings: [] }
  return {
    rows: rowsQuery.data?.data ?? [],
    page: rowsQuery.isPlaceholderData ? undefined : rowsQuery.data,
    readings: [rowsQuery],
  }
}

/**
 * Reads the bank accounts of one customer. Returns none while they load, never those of the
 * customer before.
 */
function useCustomerPaykeys(scope: CallScope, customerId: string | undefined) {
  const hasCustomer = customerId !== undefined
  const paykeysQuery = useQuery({
    ...operationQuery(scope, 'paykeys.list', {
      customer_id: customerId ?? '',
      page_size: maxPaykeys,
    }),
    enabled: hasCustomer,
  })
  const paykeysPage = hasCustomer ? paykeysQuery.data : undefined
  return {
    owned: paykeysPage?.data ?? [],
    readings: hasCustomer ? [paykeysQuery] : [],
    said: isEmptyPage(paykeysPage)
      ? 'No bank account is connected yet.'
      : formatSearchResult(paykeysPage, maxPaykeys, paykeyNouns, true),
  }
}

/** True if the page has neither readable nor unreadable rows. */
const isEmptyPage = (page: ListPage | undefined) =>
  page !== undefined && countServiceRows(page) === 0
