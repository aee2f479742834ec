'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { AccountSelect } from '@/components/kits/form/account-select'
import { ComboboxField, formatSearchResult } from '@/components/kits/form/combobox-field'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordStatusBadge } from '@/components/kits/layout/panel'
import { Button } from '@/components/ui/button'
import type { ComboboxOption } from '@/components/ui/combobox'
import { ShortId } from '@/components/ui/copy-button'
import { belongsToPlatform, getAccountName } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import { useDebounced } from '@/lib/client/use-debounced'
import { whyNotConnectBankAccount } from '@/lib/features/connect/labels'
import type { CustomerSummary } from '@/lib/operations/customers.schema'

const pageSize = 8
const customerNouns = { one: 'customer', many: 'customers' }

type FindCustomerProps = { onAccount: (account: string) => void; onChoose: (id: string) => void }

/**
 * The person chooses an account first, then a customer, because a paykey belongs to one account. In
 * a marketplace it belongs to the platform.
 */
export function FindCustomer({ onAccount, onChoose }: FindCustomerProps) {
  const context = usePageContext()
  const { account } = context
  const isOfPlatform = belongsToPlatform(context, 'paykeys')
  return (
    <section aria-label="Customer" className="grid max-w-2xl gap-3">
      <p className="text-ink-2">
        Choose the customer who owns the bank account. A paykey belongs to one customer
        {isOfPlatform ? '' : ' of one account'}.
      </p>
      {!isOfPlatform && <AccountSelect onChoose={onAccount} />}
      {(account !== null || isOfPlatform) && (
        <CustomerSearch key={account} account={account} onChoose={onChoose} />
      )}
    </section>
  )
}

function CustomerSearch({
  account,
  onChoose,
}: {
  account: string | null
  onChoose: (id: string) => void
}) {
  const context = usePageContext()
  const [text, setText] = useState('')
  const searchText = useDebounced(text.trim(), 250)
  const customersQuery = useQuery({
    ...operationQuery({ environment: context.environment, account }, 'customers.list', {
      page_size: pageSize,
      ...(searchText === '' ? {} : { search_text: searchText }),
    }),
    // Keeps the last rows until the next response, so that a highlighted row does not disappear.
    placeholderData: keepPreviousData,
  })
  return (
    <div className="grid gap-2">
      <ComboboxField
        label={`Customer of ${getAccountName(context, account)}`}
        hint="By name or external ID, newest first."
        listLabel="Customers"
        text={text}
        onText={setText}
        options={(customersQuery.data?.data ?? []).map((customer) =>
          toCustomerOption(customer, onChoose),
        )}
        status={
          customersQuery.isFetching || searchText !== text.trim()
            ? 'Searching…'
            : customersQuery.data
              ? formatSearchResult(customersQuery.data, pageSize, customerNouns, searchText !== '')
              : ''
        }
      />
      {customersQuery.error && (
        <ErrorNotice
          what="The customers could not be read"
          error={customersQuery.error.toWire()}
          requestId={customersQuery.error.requestId}
          actions={<Button onClick={() => void customersQuery.refetch()}>Try again</Button>}
        />
      )}
    </div>
  )
}

const toCustomerOption = (
  customer: CustomerSummary,
  onChoose: (id: string) => void,
): ComboboxOption => ({
  key: customer.id,
  group: 'Customers',
  body: (
    <>
      <ExternalText className="font-medium">{customer.name}</ExternalText>
      <RecordStatusBadge kind="customer" status={customer.status} />
      <ShortId id={customer.id} className="text-ink-3" />
    </>
  ),
  disabledReason: whyNotConnectBankAccount(customer.status),
  onChoose: () => onChoose(customer.id),
})
