'use client'

import { type FormEvent, lazy, Suspense, useRef, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { buttonVariants } from '@/components/ui/button-variants'
import { Input } from '@/components/ui/input'
import { Skeleton } from '@/components/ui/skeleton'
import { listPath } from '@/lib/routes'
import { FilterChips } from './filter-chips'
import { filterValue } from './filter-words'
import { useList } from './list-frame'
import { filterLabels, type ListSpec, type ListView } from './list-spec'
import { viewHref } from './list-view'

const MoreFilters = lazy(() => import('./more-filters').then((module) => ({ default: module.MoreFilters })))

/** The filters: search at hand, the rest behind one button, what is set as chips. Sending them writes the URL. */
export function ListFilters({ spec, view }: { spec: ListSpec; view: ListView }) {
  const desk = useDesk()
  const { go } = useList()
  const more = useRef<HTMLDetailsElement>(null)
  const [opened, setOpened] = useState(false)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { filters, errors } = filtersOf(spec, view, new FormData(event.currentTarget))
    setWrong(errors)
    if (Object.keys(errors).length > 0) return
    if (more.current) more.current.open = false
    go(viewHref(spec, desk, view, { filters }))
  }
  const hasMore = Object.values(spec.filters).some((filter) => filter.kind !== 'link')

  return (
    // A new view has new defaults in its fields, so the form is made anew with it.
    <form
      key={JSON.stringify([view.tab.id, view.filters])}
      method="get"
      action={listPath(desk.environment, spec.resource)}
      onSubmit={submit}
      className="relative flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1"
    >
      {desk.account !== null && <input type="hidden" name="account" value={desk.account} />}
      <input type="hidden" name="tab" value={view.tab.id} />
      {view.columns && <input type="hidden" name="cols" value={view.columns.join(',') || 'none'} />}
      {spec.search && (
        <span className="block w-56 max-sm:w-40">
          <Input
            name={spec.search.name}
            type="search"
            aria-label={`Search ${spec.many}`}
            placeholder={spec.search.placeholder}
            defaultValue={view.filters[spec.search.name]}
            maxLength={100}
          />
        </span>
      )}
      {hasMore && (
        <details ref={more} onToggle={() => setOpened(true)} className="group relative max-sm:static">
          <summary className={`${buttonVariants()} list-none`}>More filters</summary>
          <div className="absolute top-full left-0 z-20 mt-1 grid max-h-[70dvh] w-80 gap-3 overflow-y-auto rounded-lg border border-line bg-raised p-3 shadow-float max-sm:inset-x-0 max-sm:w-auto">
            {opened && (
              <Suspense fallback={<Skeleton className="h-48" />}>
                <MoreFilters spec={spec} view={view} wrong={wrong} />
              </Suspense>
            )}
          </div>
        </details>
      )}
      <FilterChips spec={spec} view={view} />
    </form>
  )
}

function filtersOf(spec: ListSpec, view: ListView, form: FormData): { filters: Record<string, string>; errors: Record<string, string> } {
  const filters: Record<string, string> = { ...view.filters }
  const errors: Record<string, string> = {}
  for (const name of Object.keys(filterLabels(spec))) {
    // The fields behind the button are not there until it was pressed; their filters stay as they are.
    if (!form.has(name)) continue
    const typed = form
      .getAll(name)
      .map((each) => String(each).trim())
      .filter((each) => each !== '')
      .join(',')
    const value = filterValue(spec.filters[name]?.kind, typed)
    if (value === null) errors[name] = 'Write an amount like 1,250.00'
    else filters[name] = value
  }
  return { filters, errors }
}
