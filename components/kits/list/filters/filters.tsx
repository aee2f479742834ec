'use client'

import { type FormEvent, lazy, useState } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { usePreferences, useZone } from '@/components/kits/layout/preferences-context'
import { ListLink, useListNavigation } from '@/components/kits/list/frame'
import { isSetByLinkOnly, type ListSpec, type ListViewState } from '@/components/kits/list/spec'
import {
  formatColumns,
  removeReplacedPeriods,
  toHrefWithoutFilters,
  toViewHref,
} from '@/components/kits/list/view'
import { buttonVariants, linkClasses } from '@/components/ui/button-variants'
import { cn } from '@/components/ui/cn'
import { Input } from '@/components/ui/input'
import { Popover } from '@/components/ui/overlay'
import { listPath } from '@/lib/routes'
import { listFilterTexts } from './filter-texts'

const FilterChip = ({ href, text }: { href: string; text: string }) => (
  <ListLink
    href={href}
    className="inline-flex h-6 max-w-[min(20rem,100%)] items-center gap-1 rounded-full border border-line bg-surface pr-1.5 pl-2.5 text-xs hover:bg-sunken pointer-coarse:h-10"
  >
    <span className="sr-only">Remove filter </span>
    <ExternalText className="truncate">{text}</ExternalText>
    <span aria-hidden="true" className="text-ink-3 print:hidden">
      ✕
    </span>
  </ListLink>
)

/** The active filters. A click on one removes it. */
export function FilterChips({ spec, view }: { spec: ListSpec; view: ListViewState }) {
  const context = usePageContext()
  const filterTexts = listFilterTexts(spec, view, usePreferences().preferences)
  if (filterTexts.length === 0) return null
  return (
    <ul
      className="flex min-w-0 max-w-full flex-wrap items-center gap-1 px-4 pb-1.5 lg:px-6"
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
            className={cn(linkClasses, 'inline-flex items-center px-1 text-xs pointer-coarse:h-10')}
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

/** Loaded when the form gets the focus, so that a list loads less at first. */
const importFormReader = () => import('./read-form')

export function ListFilters({ spec, view }: { spec: ListSpec; view: ListViewState }) {
  const context = usePageContext()
  const zone = useZone()
  const { go } = useListNavigation()
  const [filterErrors, setFilterErrors] = useState<Readonly<Record<string, string>>>({})

  const submitFilters = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const values = new FormData(form)
    const { readFormFilters } = await importFormReader()
    const { filters, errors } = readFormFilters({ spec, view, zone }, values)
    setFilterErrors(errors)
    if (Object.keys(errors).length > 0) return
    form.querySelector<HTMLElement>(':popover-open')?.hidePopover()
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
      onSubmit={(event) => void submitFilters(event)}
      onFocus={() => void importFormReader()}
      className="flex min-w-0 items-center gap-2 @max-[52rem]:w-full print:hidden"
    >
      {context.scope !== null && <input type="hidden" name="account" value={context.scope} />}
      <input type="hidden" name="tab" value={view.tab.id} />
      {view.columns && <input type="hidden" name="cols" value={formatColumns(view.columns)} />}
      {Object.entries(view.periods).map(([date, name]) => (
        <input key={date} type="hidden" name={date} value={name} />
      ))}
      {spec.search && (
        <span className="block min-w-0 @max-[52rem]:flex-1 @min-[52rem]:w-52">
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
        <Popover
          label="Filters"
          panelClassName="w-80"
          className={buttonVariants()}
          content={() => <MoreFilters spec={spec} view={view} wrong={filterErrors} />}
        >
          {spec.search ? 'More filters' : 'Filters'}
        </Popover>
      )}
      <DatePresets spec={spec} view={view} />
    </form>
  )
}
