'use client'

import { type ReactNode, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { ComboboxField } from '@/components/kits/form/combobox-field'
import { useNow } from '@/components/kits/layout/browser-state'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordStatusBadge } from '@/components/kits/layout/panel'
import { useRelatedRead } from '@/components/kits/record/side-reads'
import { Button } from '@/components/ui/button'
import type { ComboboxOption } from '@/components/ui/combobox'
import { formatBankLabel } from '@/lib/domain/bank-label'
import { whyPaykeyNotPayable } from '@/lib/features/payments/party-checks'
import type { PaymentPlanFacts } from '@/lib/features/payments/plan'
import type { CustomerSummary } from '@/lib/operations/customers.schema'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import { usePaykeySearch } from './use-paykey-search'

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
            <ExternalText className="font-medium">{customer.data.name}</ExternalText>
            <RecordStatusBadge kind="customer" status={customer.data.status} />
          </>
        ) : (
          <span className="text-ink-3">{customer.error ?? 'Loading customer…'}</span>
        )}
        {paykey.data ? (
          <>
            <ExternalText>
              {formatBankLabel(paykey.data.label ?? 'Unnamed bank account')}
            </ExternalText>
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
      <ExternalText className="min-w-0 truncate font-medium">{customer.name}</ExternalText>
      <RecordStatusBadge kind="customer" status={customer.status} />
      <span className="ml-auto text-accent text-xs">Show bank accounts</span>
    </>
  ),
  leadsOn: true,
  onChoose: () => onOpen(customer),
})

const PaykeyOptionBody = ({ paykey, name }: { paykey: PaykeySummary; name: ReactNode }) => (
  <>
    <ExternalText className="min-w-0 truncate">
      {formatBankLabel(paykey.label ?? 'Unnamed bank account')}
    </ExternalText>
    {name}
    <RecordStatusBadge kind="paykey" status={paykey.status} />
  </>
)

type PaykeyPickerProps = {
  account: string | null
  error: string | undefined
  onPick: (paykey: string) => void
}

/**
 * A combobox that finds a bank account by customer or label. A bank account that cannot be used is
 * disabled and shows the reason.
 */
export function PaykeyPicker({ account, error, onPick }: PaykeyPickerProps) {
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
  <ExternalText className="min-w-0 truncate text-ink-2">{name}</ExternalText>
)

/** The name of a customer, read by id, for lists that contain only the id. */
function CustomerNameById({ id, account }: { id: string | undefined; account: string | null }) {
  const accountContext = { ...usePageContext(), account }
  const { data, error } = useRelatedRead(
    accountContext,
    'customers.get',
    id ? { id } : undefined,
    'unknown customer',
  )
  return (
    <PaykeyCustomerName name={data ? data.name : error === undefined ? '…' : 'unknown customer'} />
  )
}
