'use client'

import { type FormEvent, lazy, useRef, useState } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { usePreferences, useZone } from '@/components/kits/layout/preferences-context'
import { ListLink, useListNavigation } from '@/components/kits/list/frame'
import {
  isSetByLinkOnly,
  type ListSpec,
  type ListViewState,
  listFilterLabels,
} from '@/components/kits/list/spec'
import {
  formatColumns,
  removeReplacedPeriods,
  toHrefWithoutFilters,
  toViewHref,
} from '@/components/kits/list/view'
import { Boundary } from '@/components/ui/boundary'
import { buttonVariants } from '@/components/ui/button-variants'
import { Input } from '@/components/ui/input'
import { Popover } from '@/components/ui/overlay'
import { Skeleton } from '@/components/ui/skeleton'
import { getAmountFaultText } from '@/lib/money'
import { listPath } from '@/lib/routes'
import { listFilterTexts, parseFilterValue } from './filter-texts'

const FilterChip = ({ href, text }: { href: string; text: string }) => (
  <ListLink
    href={href}
    className="inline-flex h-6 max-w-[min(20rem,100%)] items-center gap-1 rounded-full border border-line bg-surface pr-1.5 pl-2.5 text-xs hover:bg-sunken pointer-coarse:h-8"
  >
    <span className="sr-only">Remove filter </span>
    <ExternalText className="truncate">{text}</ExternalText>
    <span aria-hidden="true" className="text-ink-3">
      ✕
    </span>
  </ListLink>
)

function FilterChips({ spec, view }: { spec: ListSpec; view: ListViewState }) {
  const context = usePageContext()
  const filterTexts = listFilterTexts(spec, view, usePreferences().preferences)
  if (filterTexts.length === 0) return null
  return (
    <ul
      className="flex min-w-0 max-w-full flex-wrap items-center gap-1"
      aria-label="Active filters"
    >
      {filterTexts.map(({ name, text }) => (
        <li key={name} className="flex min-w-0 max-w-full">
          <FilterChip href={toHrefWithoutFilters(spec, context, view, [name])} text={text} />
        </li>
      ))}
      {filterTexts.length > 1 && (
        <li>
          <ListLink
            href={toHrefWithoutFilters(
              spec,
              context,
              view,
              filterTexts.map((chip) => chip.name),
            )}
            className="rounded-sm px-1 text-accent text-xs hover:underline"
          >
            Clear all
          </ListLink>
        </li>
      )}
    </ul>
  )
}

/** The active filters as a list of texts. */
export const FilterTexts = ({ spec, view }: { spec: ListSpec; view: ListViewState }) => (
  <ul className="list-disc pl-4">
    {listFilterTexts(spec, view, usePreferences().preferences).map(({ name, text }) => (
      <li key={name}>
        <ExternalText>{text}</ExternalText>
      </li>
    ))}
  </ul>
)

const PeriodChoice = lazy(() =>
  import('./panels').then((module) => ({ default: module.PeriodChoice })),
)

function DatePresets({ spec, view }: { spec: ListSpec; view: ListViewState }) {
  if (!spec.periods) return null
  return (
    <Popover
      label="Dates"
      panelClassName="w-64 p-3"
      className={buttonVariants()}
      content={(close) => <PeriodChoice spec={spec} view={view} onClose={close} />}
    >
      Dates
    </Popover>
  )
}

const MoreFilters = lazy(() =>
  import('./panels').then((module) => ({ default: module.MoreFilters })),
)

export function ListFilters({ spec, view }: { spec: ListSpec; view: ListViewState }) {
  const context = usePageContext()
  const zone = useZone()
  const { go } = useListNavigation()
  const moreFiltersPanel = useRef<HTMLDetailsElement>(null)
  const [opened, setOpened] = useState(false)
  const [filterErrors, setFilterErrors] = useState<Readonly<Record<string, string>>>({})

  const submitFilters = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { filters, errors } = readFormFilters(
      { spec, view, zone },
      new FormData(event.currentTarget),
    )
    setFilterErrors(errors)
    if (Object.keys(errors).length > 0) return
    if (moreFiltersPanel.current) moreFiltersPanel.current.open = false
    go(
      toViewHref(spec, context, view, {
        filters,
        periods: removeReplacedPeriods(spec, view, filters),
      }),
    )
  }
  const hasMoreFilters = Object.values(spec.filters).some((filter) => !isSetByLinkOnly(filter))

  return (
    // Remounts the form when the view changes: React applies default values only on mount.
    <form
      key={JSON.stringify([view.tab.id, view.filters, view.periods])}
      method="get"
      action={listPath(context.environment, spec.resource)}
      onSubmit={submitFilters}
      className="relative flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1"
    >
      {context.scope !== null && <input type="hidden" name="account" value={context.scope} />}
      <input type="hidden" name="tab" value={view.tab.id} />
      {view.columns && <input type="hidden" name="cols" value={formatColumns(view.columns)} />}
      {Object.entries(view.periods).map(([date, name]) => (
        <input key={date} type="hidden" name={date} value={name} />
      ))}
      {spec.search && (
        <span className="block w-52 max-sm:w-40">
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
      {hasMoreFilters && (
        <details
          ref={moreFiltersPanel}
          onToggle={() => setOpened(true)}
          className="group relative max-sm:static"
        >
          <summary className={`${buttonVariants()} list-none`}>More filters</summary>
          <div className="absolute top-full left-0 z-20 mt-1 grid max-h-[70dvh] w-80 gap-3 overflow-y-auto rounded-lg border border-line bg-raised p-3 shadow-float max-sm:inset-x-0 max-sm:w-auto">
            {opened && (
              <Boundary fallback={<Skeleton className="h-48" />}>
                <MoreFilters spec={spec} view={view} wrong={filterErrors} />
              </Boundary>
            )}
          </div>
        </details>
      )}
      <DatePresets spec={spec} view={view} />
      <FilterChips spec={spec} view={view} />
      {view.ignored.length > 0 && (
        <ul role="status" aria-label="Ignored in the URL" className="basis-full text-held text-xs">
          {view.ignored.map((text) => (
            <li key={text}>
              <ExternalText>{text}</ExternalText>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}

type FilterFormContext = { spec: ListSpec; view: ListViewState; zone: string }

function readFormFilters(
  { spec, view, zone }: FilterFormContext,
  form: FormData,
): { filters: Record<string, string>; errors: Record<string, string> } {
  const changedFilters: Record<string, string> = { ...view.filters }
  const errorsByFilter: Record<string, string> = {}
  for (const name of Object.keys(listFilterLabels(spec))) {
    // "More filters" has no fields before it is opened. Filters without a field keep their values.
    if (!form.has(name)) continue
    const typedText = form
      .getAll(name)
      .map((each) => String(each).trim())
      .filter((each) => each !== '')
      .join(',')
    const value = parseFilterValue(spec.filters[name]?.kind, typedText, zone)
    if (value === null)
      errorsByFilter[name] = getAmountFaultText(typedText) ?? 'Must be 0.00 or more.'
    else changedFilters[name] = value
  }
  return { filters: changedFilters, errors: errorsByFilter }
}
