'use client'

import { type FormEvent, useRef, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { payoutsPath } from '@/lib/routes'
import { FilterChips } from './filter-chips'
import { amountField, amountWord, reasonWords } from './filter-words'
import { useList } from './list-frame'
import { type FilterName, type PayoutView, viewHref } from './payout-view'

const asked = ['search_text', 'min_amount', 'max_amount', 'min_payment_date', 'max_payment_date', 'status_reason'] as const

/** The filters: search at hand, the rest behind one button, what is set as chips. Sending them writes the URL. */
export function PayoutFilters({ view }: { view: PayoutView }) {
  const desk = useDesk()
  const { go } = useList()
  const more = useRef<HTMLDetailsElement>(null)
  const [wrong, setWrong] = useState<Partial<Record<FilterName, string>>>({})

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { filters, errors } = filtersOf(view, new FormData(event.currentTarget))
    setWrong(errors)
    if (Object.keys(errors).length > 0) return
    if (more.current) more.current.open = false
    go(viewHref(desk.environment, desk.account, view, { filters }))
  }

  return (
    // A new view has new defaults in its fields, so the form is made anew with it.
    <form
      key={JSON.stringify([view.tab.id, view.filters])}
      method="get"
      action={payoutsPath(desk.environment)}
      onSubmit={submit}
      className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1"
    >
      {desk.account !== null && <input type="hidden" name="account" value={desk.account} />}
      <input type="hidden" name="tab" value={view.tab.id} />
      <span className="block w-56 max-sm:w-40">
        <Input
          name="search_text"
          type="search"
          aria-label="Search payouts"
          placeholder="Name, description, external id"
          defaultValue={view.filters.search_text}
          maxLength={100}
        />
      </span>
      <details ref={more} className="group relative">
        <summary className={`${buttonVariants()} list-none`}>More filters</summary>
        <div className="absolute top-full left-0 z-20 mt-1 grid w-80 gap-3 rounded-lg border border-line bg-raised p-3 shadow-float max-sm:-left-40">
          <MoreFields view={view} wrong={wrong} />
          <Button type="submit" variant="primary">
            Apply
          </Button>
        </div>
      </details>
      <FilterChips view={view} />
    </form>
  )
}

function filtersOf(view: PayoutView, form: FormData): Pick<PayoutView, 'filters'> & { errors: Partial<Record<FilterName, string>> } {
  const filters: PayoutView['filters'] = { ...view.filters }
  const errors: Partial<Record<FilterName, string>> = {}
  for (const name of asked) {
    const typed = String(form.get(name) ?? '').trim()
    const value = name === 'min_amount' || name === 'max_amount' ? amountField(typed) : typed
    if (value === null) errors[name] = 'Write an amount like 1,250.00'
    else filters[name] = value
  }
  return { filters, errors }
}

function MoreFields({ view, wrong }: { view: PayoutView; wrong: Partial<Record<FilterName, string>> }) {
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        {(['min_amount', 'max_amount'] as const).map((name) => (
          <Field key={name} label={name === 'min_amount' ? 'Amount from' : 'to'} error={wrong[name]}>
            {(control) => (
              <Input {...control} name={name} inputMode="decimal" defaultValue={amountWord(view.filters[name])} placeholder="0.00" />
            )}
          </Field>
        ))}
        {(['min_payment_date', 'max_payment_date'] as const).map((name) => (
          <Field key={name} label={name === 'min_payment_date' ? 'Payment date from' : 'to'}>
            {(control) => <Input {...control} name={name} type="date" defaultValue={view.filters[name]} />}
          </Field>
        ))}
      </div>
      <Field label="Reason given">
        {(control) => (
          <Select {...control} name="status_reason" defaultValue={view.filters.status_reason ?? ''}>
            <option value="">Any reason</option>
            {Object.entries(reasonWords).map(([reason, words]) => (
              <option key={reason} value={reason}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  )
}
