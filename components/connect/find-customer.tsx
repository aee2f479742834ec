'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Status } from '@/components/kits/record/status'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { ShortId } from '@/components/ui/short-id'
import { accountName } from '@/lib/client/desk'
import { read } from '@/lib/client/queries'
import { whyNotConnect } from '@/lib/domain/paykey-link'

const shown = 8
const pause = 250

type FindCustomerProps = { onAccount: (account: string) => void; onChoose: (id: string) => void }

/** Choosing the customer: the account first, because a paykey is made within one, then the customer by a search in it. */
export function FindCustomer({ onAccount, onChoose }: FindCustomerProps) {
  const { account, accounts } = useDesk()
  return (
    <section aria-label="Customer" className="grid max-w-2xl gap-3">
      <p className="text-ink-2">Whose bank account is it? A paykey belongs to one customer of one account.</p>
      <Field label="Account">
        {(control) => (
          <Select {...control} value={account ?? ''} onChange={(event) => onAccount(event.target.value)}>
            <option value="" disabled>
              Choose…
            </option>
            {accounts.map(({ id, name, status }) => (
              <option key={id} value={id}>
                {status === 'active' ? name : `${name} (${status})`}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {account !== null && <Search key={account} account={account} onChoose={onChoose} />}
    </section>
  )
}

/** The text a moment after the last key, so that not every letter is a request. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

function Search({ account, onChoose }: { account: string; onChoose: (id: string) => void }) {
  const desk = useDesk()
  const [words, setWords] = useState('')
  const asked = useSettled(words.trim())
  const found = useQuery({
    ...read({ environment: desk.environment, account }, 'customers.list', {
      page_size: shown,
      ...(asked === '' ? {} : { search_text: asked }),
    }),
    // Those of before stay while it looks: a list that goes takes the focus of whoever has reached a button with it.
    placeholderData: (before) => before,
  })
  const total = found.data?.meta.total_items ?? 0
  return (
    <div className="grid gap-2">
      <Field label={`Customer of ${accountName(desk, account)}`} hint="By name or external id; the newest stand here first.">
        {(control) => (
          <Input
            {...control}
            type="search"
            value={words}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => setWords(event.target.value)}
          />
        )}
      </Field>
      {found.error && <ErrorNotice what="The customers could not be read" error={found.error.toWire()} requestId={found.error.requestId} />}
      <p role="status" className="text-ink-3 text-xs">
        {found.isFetching ? 'Looking…' : found.data ? countText(found.data.data.length, total) : ''}
      </p>
      <ul className="grid gap-1">
        {(found.data?.data ?? []).map((customer) => (
          <li key={customer.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded border border-line bg-surface px-3 py-1.5">
            <bdi className="font-medium">{customer.name}</bdi>
            <Status kind="customer" status={customer.status} />
            <ShortId id={customer.id} className="text-ink-3" />
            <span className="ml-auto">
              <Button size="small" disabledReason={whyNotConnect(customer.status)} onClick={() => onChoose(customer.id)}>
                Choose<span className="sr-only"> {customer.name}</span>
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function countText(here: number, total: number): string {
  if (here === 0) return 'No customer matches.'
  return total > here ? `${here} of ${total.toLocaleString('en-US')}; write more of the name to narrow them.` : `${here} found.`
}
