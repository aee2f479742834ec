'use client'

import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { ComboboxField, formatSearchResult } from '@/components/kits/form/combobox-field'
import { useNow } from '@/components/kits/layout/browser-state'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordStatusBadge } from '@/components/kits/layout/panel'
import { useSideRead } from '@/components/kits/record/side-reads'
import { Button } from '@/components/ui/button'
import type { ComboboxOption } from '@/components/ui/combobox'
import type { CallAnswer } from '@/lib/client/call'
import type { CallError } from '@/lib/client/call-error'
import type { CallScope } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import { useDebounced } from '@/lib/client/use-debounced'
import { whyNotPayable } from '@/lib/features/payments/checks'
import type { PlanFacts } from '@/lib/features/payments/plan'
import type { CustomerSummary } from '@/lib/operations/customers.schema'
import { countSentRows, type ListPage } from '@/lib/operations/list-count'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'

/** Maximum numbers of results for each search (`pageSize`), and of bank accounts for one customer (`maxPaykeys`). */
const pageSize = 6
const maxPaykeys = 50

const customerNouns = { one: 'customer', many: 'customers' }
const paykeyNouns = { one: 'bank account', many: 'bank accounts' }

type QueryState = { isFetching: boolean; error: CallError | null; refetch: () => unknown }

type FoundPaykeys = {
  customers: readonly CustomerSummary[]
  /** Bank accounts whose label matches the search. */
  labelled: readonly PaykeySummary[]
  /** The opened customer, or the only customer that matches, and the customer's bank accounts. */
  owner: CustomerSummary | undefined
  owned: readonly PaykeySummary[]
  failed: { error: CallError; again: () => void } | null
  status: string
}

/** Searches bank accounts by customer and label. With an opened customer, lists that customer's bank accounts. */
function usePaykeySearch(account: string, text: string, opened: CustomerSummary | null): FoundPaykeys {
  const scope = { ...usePageContext(), account }
  const { customers, labelled, only, ...search } = useSearch(scope, text, opened === null)
  const paykeyOwner = opened ?? only
  const { owned, ...ofOwner } = useOwnedPaykeys(scope, paykeyOwner?.id)
  const readings: readonly QueryState[] = [...search.readings, ...ofOwner.readings]
  const failed = readings.find(({ error }) => error !== null)
  const isSearching = search.waits || readings.some(({ isFetching }) => isFetching)
  const statusText = failed ? '' : paykeyOwner ? ofOwner.said : search.said
  return {
    customers: paykeyOwner ? [] : customers,
    labelled: labelled.filter(({ id }) => owned.every((paykey) => paykey.id !== id)),
    owner: paykeyOwner,
    owned,
    failed: failed?.error ? { error: failed.error, again: () => void failed.refetch() } : null,
    status: isSearching ? 'Searching…' : statusText,
  }
}

function useSearch(scope: CallScope, text: string, isSearch: boolean) {
  const searchText = useDebounced(text, 300)
  const paging = { page_number: 1, page_size: pageSize, ...(searchText === '' ? {} : { search_text: searchText }) }
  const byName = useRows(operationQuery(scope, 'customers.list', paging), isSearch)
  const byLabel = useRows(operationQuery(scope, 'paykeys.list', paging), isSearch && searchText !== '')
  const counts = [formatSearchResult(byName.page, pageSize, customerNouns), formatSearchResult(byLabel.page, pageSize, paykeyNouns)]
  return {
    customers: byName.rows,
    // Placeholder rows of the last search are not used, because they must not select a customer.
    only: byName.page?.data.length === 1 ? byName.page.data[0] : undefined,
    labelled: byLabel.rows,
    readings: [...byName.readings, ...byLabel.readings],
    waits: isSearch && searchText !== text,
    said: searchText === '' && isEmptyPage(byName.page) ? 'This account has no customers yet.' : counts.join(' ').trim(),
  }
}

/** Reads a list while `isEnabled`. The rows of the last search stay until the next response, so that a highlighted row does not disappear. */
function useRows<T>(options: UseQueryOptions<CallAnswer<T[]>>, isEnabled: boolean) {
  const query = useQuery({ ...options, enabled: isEnabled, placeholderData: keepPreviousData })
  if (!isEnabled) return { rows: [], page: undefined, readings: [] }
  return { rows: query.data?.data ?? [], page: query.isPlaceholderData ? undefined : query.data, readings: [query] }
}

/** Reads the bank accounts of one customer. While they load, it returns none and not those of another customer. */
function useOwnedPaykeys(scope: CallScope, owner: string | undefined) {
  const hasOwner = owner !== undefined
  const query = useQuery({
    ...operationQuery(scope, 'paykeys.list', { customer_id: owner ?? '', page_size: maxPaykeys }),
    enabled: hasOwner,
  })
  const page = hasOwner ? query.data : undefined
  return {
    owned: page?.data ?? [],
    readings: hasOwner ? [query] : [],
    said: isEmptyPage(page) ? 'No bank account is connected yet.' : formatSearchResult(page, maxPaykeys, paykeyNouns),
  }
}

/** True if the page has neither readable nor unreadable rows. */
const isEmptyPage = (page: ListPage | undefined) => page !== undefined && countSentRows(page) === 0

type ChosenPaykeyProps = { facts: PlanFacts; error: string | undefined; onChange: () => void }

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

type PickerProps = { account: string; error: string | undefined; onPick: (paykey: string) => void }

/** A combobox that finds a bank account by customer or label. Unusable ones are listed as disabled, with the reason. */
export function PaykeyPicker({ account, error, onPick }: PickerProps) {
  const [text, setText] = useState('')
  const [openedCustomer, setOpenedCustomer] = useState<CustomerSummary | null>(null)
  const { owner, owned, customers, labelled, failed, status } = usePaykeySearch(account, text.trim(), openedCustomer)
  const now = useNow()
  const changeText = (typed: string) => {
    setText(typed)
    setOpenedCustomer(null)
  }
  const toPaykeyOption = (group: string, paykey: PaykeySummary, name?: ReactNode): ComboboxOption => ({
    key: paykey.id,
    group,
    body: (
      <>
        <OutsideText className="min-w-0 truncate">{paykey.label ?? 'Unnamed bank account'}</OutsideText>
        {name}
        <RecordStatusBadge kind="paykey" status={paykey.status} />
      </>
    ),
    disabledReason: whyNotPayable(paykey, now),
    onChoose: () => onPick(paykey.id),
  })
  const toCustomerOption = (customer: CustomerSummary): ComboboxOption => ({
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
    onChoose: () => setOpenedCustomer(customer),
  })
  return (
    <div className="grid gap-2 sm:col-span-2">
      <ComboboxField
        label="Find a bank account"
        hint="By customer or bank name."
        error={error}
        listLabel="Customers and bank accounts"
        text={text}
        onText={changeText}
        options={[
          ...owned.map((paykey) => toPaykeyOption('Of the customer', paykey, <OwnerName name={owner?.name} />)),
          ...customers.map(toCustomerOption),
          ...labelled.map((paykey) =>
            toPaykeyOption('Bank accounts', paykey, <CustomerNameById id={paykey.customer_id} account={account} />),
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

const OwnerName = ({ name }: { name: string | undefined }) => <OutsideText className="min-w-0 truncate text-ink-2">{name}</OutsideText>

/** The name of a customer, read by id, for lists that contain only the id. */
function CustomerNameById({ id, account }: { id: string | undefined; account: string }) {
  const scope = { ...usePageContext(), account }
  const { data, error } = useSideRead(scope, 'customers.get', id ? { id } : undefined, 'unknown customer')
  return <OwnerName name={data ? data.name : error === undefined ? '…' : 'unknown customer'} />
}
