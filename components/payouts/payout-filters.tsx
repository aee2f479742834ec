'use client'

import { type FormEvent, lazy, Suspense, useRef, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { buttonVariants } from '@/components/ui/button-variants'
import { Input } from '@/components/ui/input'
import { Skeleton } from '@/components/ui/skeleton'
import { payoutsPath } from '@/lib/routes'
import { FilterChips } from './filter-chips'
import { amountField } from './filter-words'
import { useList } from './list-frame'
import { type FilterName, type PayoutView, viewHref } from './payout-view'

const MoreFilters = lazy(() => import('./more-filters').then((module) => ({ default: module.MoreFilters })))

const asked = ['search_text', 'min_amount', 'max_amount', 'min_payment_date', 'max_payment_date', 'status_reason'] as const

/** The filters: search at hand, the rest behind one button, what is set as chips. Sending them writes the URL. */
export function PayoutFilters({ view }: { view: PayoutView }) {
  const desk = useDesk()
  const { go } = useList()
  const more = useRef<HTMLDetailsElement>(null)
  const [opened, setOpened] = useState(false)
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
      className="relative flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1"
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
      <details ref={more} onToggle={() => setOpened(true)} className="group relative max-sm:static">
        <summary className={`${buttonVariants()} list-none`}>More filters</summary>
        <div className="absolute top-full left-0 z-20 mt-1 grid w-80 gap-3 rounded-lg border border-line bg-raised p-3 shadow-float max-sm:inset-x-0 max-sm:w-auto">
          {opened && (
            <Suspense fallback={<Skeleton className="h-48" />}>
              <MoreFilters view={view} wrong={wrong} />
            </Suspense>
          )}
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
    // The fields behind the button are not there until it was pressed; their filters stay as they are.
    if (!form.has(name)) continue
    const typed = String(form.get(name)).trim()
    const value = name === 'min_amount' || name === 'max_amount' ? amountField(typed) : typed
    if (value === null) errors[name] = 'Write an amount like 1,250.00'
    else filters[name] = value
  }
  return { filters, errors }
}
