'use client'

import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { ComboboxField, formatSearchResult } from '@/components/kits/form/combobox-field'
import { useNow } from '@/components/kits/layout/browser-state'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordStatusBadge } from '@/components/kits/layout/panel'
import { useRelatedRead } from '@/components/kits/record/side-reads'
import { Button } from '@/components/ui/button'
import type { ComboboxOption } from '@/components/ui/combobox'
import type { CallAnswer } from '@/lib/client/call'
import type { CallError } from '@/lib/client/call-error'
import type { CallScope } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import { useDebounced } from '@/lib/client/use-debounced'
import { whyPaykeyNotPayable } from '@/lib/features/payments/checks'
import type { PaymentPlanFacts } from '@/lib/features/payments/plan'
import type { CustomerSummary } from '@/lib/operations/customers.schema'
import { countSentRows, type ListPage } from '@/lib/operations/list-count'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'

/** Maximum number of results of each search. */
const pageSize = 6
/** Maximum number of bank accounts that are listed for one customer. */
const maxPaykeys = 50

const customerNouns = { one: 'customer', many: 'customers' }
const paykeyNouns = { one: 'bank account', many: 'bank accounts' }

type QueryState = { isFetching: boolean; error: CallError | null; refetch: () => unknown }

type FoundPaykeys = {
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
 * result, lists its bank accounts.
 */
function usePaykeySearch(
  account: string,
  text: string,
  opened: CustomerSummary | null,
): FoundPaykeys {
  const scope = { ...usePageContext(), account }
  const { customers, labelled, only, ...search } = useNameAndLabelSearch(
    scope,
    text,
    opened === null,
  )
  const paykeyCustomer = opened ?? only
  const { owned, ...ofOwner } = useCustomerPaykeys(scope, paykeyCustomer?.id)
  const queryStates: readonly QueryState[] = [...search.readings, ...ofOwner.readings]
  const failedQuery = queryStates.find(({ error }) => error !== null)
  const isSearching = search.waits || queryStates.some(({ isFetching }) => isFetching)
  const statusText = failedQuery ? '' : paykeyCustomer ? ofOwner.said : search.said
  return {
    customers: paykeyCustomer ? [] : customers,
    labelled: labelled.filter(({ id }) => owned.every((paykey) => paykey.id !== id)),
    owner: paykeyCustomer,
    owned,
    failed: failedQuery?.error
      ? { error: failedQuery.error, again: () => void failedQuery.refetch() }
      : null,
    status: isSearching ? 'Searching…' : statusText,
  }
}

function useNameAndLabelSearch(scope: CallScope, text: string, isSearch: boolean) {
  const searchText = useDebounced(text, 300)
  const searchInput = {
    page_number: 1,
    page_size: pageSize,
    ...(searchText === '' ? {} : { search_text: searchText }),
  }
  const customersFoundByName = useRowsQuery(
    operationQuery(scope, 'customers.list', searchInput),
    isSearch,
  )
  const paykeysFoundByLabel = useRowsQuery(
    operationQuery(scope, 'paykeys.list', searchInput),
    isSearch && searchText !== '',
  )
  const countTexts = [
    formatSearchResult(customersFoundByName.page, pageSize, customerNouns),
    formatSearchResult(paykeysFoundByLabel.page, pageSize, paykeyNouns),
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
        : countTexts.join(' ').trim(),
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
      : formatSearchResult(paykeysPage, maxPaykeys, paykeyNouns),
  }
}

/** True if the page has neither readable nor unreadable rows. */
const isEmptyPage = (page: ListPage | undefined) => page !== undefined && countSentRows(page) === 0

type ChosenPaykeyProps = {
  facts: PaymentPlanFacts
  error: string | undefined
  onChange: () => void
}

export function ChosenPaykey({ facts, error, onChange }: ChosenPaykeyProps) {
  const { paykey, customer } = facts
  return (
    <div className="grid gap-1 sm:col-span-2">
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 rounded border border-accent bg-surface px-3 py-1">
        {customer.data ? (
          <>
            <OutsideText className="font-medium">{customer.data.name}</OutsideText>
            <RecordStatusBadge kind="customer" status={customer.data.status} />
          </>
        ) : (
          <span className="text-ink-3">{customer.error ?? 'Loading customer…'}</span>
        )}
        {paykey.data ? (
          <>
            <OutsideText>{paykey.data.label ?? 'Unnamed bank account'}</OutsideText>
            <RecordStatusBadge kind="paykey" status={paykey.data.status} />
          </>
        ) : (
          <span className="text-ink-3">{paykey.error ?? 'Loading bank account…'}</span>
        )}
        <Button size="small" className="ml-auto" onClick={onChange}>
          Choose another
        </Button>
      </div>
      {error && <p className="font-medium text-bad text-xs">{error}</p>}
    </div>
  )
}

/** Choosing the option calls `onOpen`, which lists the customer's bank accounts. */
const toCustomerOption = (
  customer: CustomerSummary,
  onOpen: (customer: CustomerSummary) => void,
): ComboboxOption => ({
  key: customer.id,
  group: 'Customers',
  body: (
    <>
      <OutsideText className="min-w-0 truncate font-medium">{customer.name}</OutsideText>
      <RecordStatusBadge kind="customer" status={customer.status} />
      <span className="ml-auto text-accent text-xs">Show bank accounts</span>
    </>
  ),
  leadsOn: true,
  onChoose: () => onOpen(customer),
})

const PaykeyOptionBody = ({ paykey, name }: { paykey: PaykeySummary; name: ReactNode }) => (
  <>
    <OutsideText className="min-w-0 truncate">{paykey.label ?? 'Unnamed bank account'}</OutsideText>
    {name}
    <RecordStatusBadge kind="paykey" status={paykey.status} />
  </>
)

type PickerProps = { account: string; error: string | undefined; onPick: (paykey: string) => void }

/**
 * A combobox that finds a bank account by customer or label. A bank account that cannot be used is
 * disabled and shows the reason.
 */
export function PaykeyPicker({ account, error, onPick }: PickerProps) {
  const [text, setSearchText] = useState('')
  const [openedCustomer, setOpenedCustomer] = useState<CustomerSummary | null>(null)
  const { owner, owned, customers, labelled, failed, status } = usePaykeySearch(
    account,
    text.trim(),
    openedCustomer,
  )
  const now = useNow()
  const changeSearchText = (typed: string) => {
    setSearchText(typed)
    setOpenedCustomer(null)
  }
  const toPaykeyOption = (
    group: string,
    paykey: PaykeySummary,
    name?: ReactNode,
  ): ComboboxOption => ({
    key: paykey.id,
    group,
    body: <PaykeyOptionBody paykey={paykey} name={name} />,
    disabledReason: whyPaykeyNotPayable(paykey, now),
    onChoose: () => onPick(paykey.id),
  })
  return (
    <div className="grid gap-2 sm:col-span-2">
      <ComboboxField
        label="Find a bank account"
        hint="By customer or bank name."
        error={error}
        listLabel="Customers and bank accounts"
        text={text}
        onText={changeSearchText}
        options={[
          ...owned.map((paykey) =>
            toPaykeyOption('Of the customer', paykey, <PaykeyCustomerName name={owner?.name} />),
          ),
          ...customers.map((customer) => toCustomerOption(customer, setOpenedCustomer)),
          ...labelled.map((paykey) =>
            toPaykeyOption(
              'Bank accounts',
              paykey,
              <CustomerNameById id={paykey.customer_id} account={account} />,
            ),
          ),
        ]}
        status={status}
        focused
      />
      {failed && (
        <ErrorNotice
          what="The bank accounts could not be read"
          error={failed.error.toWire()}
          requestId={failed.error.requestId}
          actions={<Button onClick={failed.again}>Try again</Button>}
        />
      )}
    </div>
  )
}

const PaykeyCustomerName = ({ name }: { name: string | undefined }) => (
  <OutsideText className="min-w-0 truncate text-ink-2">{name}</OutsideText>
)

/** The name of a customer, read by id, for lists that contain only the id. */
function CustomerNameById({ id, account }: { id: string | undefined; account: string }) {
  const scope = { ...usePageContext(), account }
  const { data, error } = useRelatedRead(
    scope,
    'customers.get',
    id ? { id } : undefined,
    'unknown customer',
  )
  return (
    <PaykeyCustomerName name={data ? data.name : error === undefined ? '…' : 'unknown customer'} />
  )
}
