'use client'

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNow } from '@/components/kits/layout/clock'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Status } from '@/components/kits/record/status'
import { useFact } from '@/components/kits/record/use-fact'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { read } from '@/lib/client/queries'
import { whyNotPayable } from '@/lib/domain/payment-party-checks'
import type { CustomerSummary } from '@/lib/operations/customers.schema'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import { useSettled } from './use-settled'

/** How many of each are listed; more are found by typing more. */
const most = 6

type PickerProps = { account: string; error: string | undefined; onPick: (paykey: string) => void }

/** Finds a bank account by its customer or by its own label. All are shown, and those that cannot be used say why. */
export function PaykeyPicker({ account, error, onPick }: PickerProps) {
  const [text, setText] = useState('')
  const asked = useSettled(text.trim(), 300)
  const scope = { ...useDesk(), account }
  const paging = { page_number: 1, page_size: most, ...(asked === '' ? {} : { search_text: asked }) }
  const customers = useQuery(read(scope, 'customers.list', paging))
  const paykeys = useQuery({ ...read(scope, 'paykeys.list', paging), enabled: asked !== '' })
  const found = customers.data?.data ?? []
  const banks = asked === '' ? [] : (paykeys.data?.data ?? [])
  const failed = customers.error ?? paykeys.error
  const reading = customers.isFetching || paykeys.isFetching || asked !== text.trim()
  return (
    <div className="grid gap-2 sm:col-span-2">
      <Field label="Find the bank account" hint="By the customer’s name or the bank’s." error={error}>
        {(control) => (
          <Input
            {...control}
            type="search"
            autoComplete="off"
            maxLength={100}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <p role="status" className="text-ink-3 text-xs">
        {failed ? `Could not be read: ${failed.message}` : pickText(reading, asked, found.length, banks.length)}
      </p>
      {/* Room for a full list: what stands below stays where it is while somebody types. */}
      <ul aria-label="Customers and bank accounts" className="grid min-h-68 content-start gap-1">
        {found.map((customer) => (
          <CustomerLine key={customer.id} customer={customer} account={account} alone={found.length === 1} onPick={onPick} />
        ))}
        {banks.map((paykey) => (
          <PaykeyLine key={paykey.id} paykey={paykey} onPick={onPick}>
            <OwnerName id={paykey.customer_id} account={account} />
          </PaykeyLine>
        ))}
      </ul>
    </div>
  )
}

function pickText(reading: boolean, asked: string, customers: number, banks: number): string {
  if (reading) return 'Looking…'
  if (customers + banks === 0) return asked === '' ? 'This account has no customers yet.' : 'Nothing matches in this account.'
  return asked === '' ? `The first ${customers} customers; type to find others.` : `${customers} customers, ${banks} bank accounts.`
}

type CustomerLineProps = { customer: CustomerSummary; account: string; alone: boolean; onPick: (paykey: string) => void }

/** A customer, whose bank accounts are read when somebody asks for them. */
function CustomerLine({ customer, account, alone, onPick }: CustomerLineProps) {
  const [asked, setAsked] = useState(false)
  const open = asked || alone
  return (
    <li className="rounded border border-line bg-surface">
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1">
        <bdi className="min-w-0 truncate font-medium">{customer.name}</bdi>
        <Status kind="customer" status={customer.status} />
        {!alone && (
          <Button size="small" variant="quiet" className="ml-auto" aria-expanded={open} onClick={() => setAsked(!asked)}>
            {open ? 'Hide' : 'Bank accounts'}
            <span className="sr-only"> of {customer.name}</span>
          </Button>
        )}
      </div>
      {open && <PaykeysOf customer={customer.id} account={account} onPick={onPick} />}
    </li>
  )
}

function PaykeysOf({ customer, account, onPick }: { customer: string; account: string; onPick: (paykey: string) => void }) {
  const scope = { ...useDesk(), account }
  const { fact } = useFact(scope, 'paykeys.list', { customer_id: customer, page_size: 50 })
  if (fact.state !== 'known')
    return <p className="px-3 pb-2 text-ink-3 text-sm">{fact.state === 'loading' ? 'Reading the bank accounts…' : fact.why}</p>
  if (fact.value.length === 0) return <p className="px-3 pb-2 text-ink-3 text-sm">No bank account is connected yet.</p>
  return (
    <ul className="grid gap-1 px-2 pb-2">
      {fact.value.map((paykey) => (
        <PaykeyLine key={paykey.id} paykey={paykey} onPick={onPick} />
      ))}
    </ul>
  )
}

type PaykeyLineProps = { paykey: PaykeySummary; onPick: (paykey: string) => void; children?: ReactNode }

/** A bank account with its state; one that cannot be used says why beside its closed button. */
function PaykeyLine({ paykey, onPick, children }: PaykeyLineProps) {
  const why = whyNotPayable(paykey, useNow())
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 rounded border border-line bg-bg px-3 py-1">
      <bdi className="min-w-0 truncate">{paykey.label ?? 'Bank account without a label'}</bdi>
      {children}
      <Status kind="paykey" status={paykey.status} />
      {why !== null && <span className="text-ink-2 text-xs">{why}</span>}
      <Button size="small" className="ml-auto" disabledReason={why} onClick={() => onPick(paykey.id)}>
        Choose
        <span className="sr-only"> {paykey.label}</span>
      </Button>
    </li>
  )
}

/** Whose bank account it is, where the list gives the id alone. */
function OwnerName({ id, account }: { id: string | undefined; account: string }) {
  const scope = { ...useDesk(), account }
  const { fact } = useFact(scope, 'customers.get', id ? { id } : undefined, 'unknown customer')
  const name = fact.state === 'known' ? fact.value.name : fact.state === 'loading' ? '…' : 'unknown customer'
  return <bdi className="text-ink-2">{name}</bdi>
}
