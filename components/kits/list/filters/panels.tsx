'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { usePreferences, useZone } from '@/components/kits/layout/preferences-context'
import { ZoneName } from '@/components/kits/layout/relative-time'
import { ListLink, useListNavigation } from '@/components/kits/list/frame'
import {
  type FilterSpec,
  isSetByLinkOnly,
  type ListSpec,
  type ListViewState,
  listVisibleColumns,
  periodLabels,
  periodNames,
} from '@/components/kits/list/spec'
import {
  formatColumns,
  toHrefWithoutFilters,
  toPeriodHref,
  toViewHref,
} from '@/components/kits/list/view'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { cn } from '@/components/ui/cn'
import { Checkbox, Field, type FieldControl, Select } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { parseTime, toZoneDate } from '@/lib/dates'
import { formatAmountFilter } from './filter-texts'

type MoreFiltersProps = {
  spec: ListSpec
  view: ListViewState
  wrong: Readonly<Record<string, string>>
}

const focusFirstControl = (panel: HTMLElement | null) =>
  panel?.querySelector<HTMLElement>('input:not([type="hidden"]), select')?.focus()

/** The script of these fields loads when the person opens the panel. */
export const MoreFilters = ({ spec, view, wrong }: MoreFiltersProps) => (
  <div ref={focusFirstControl} className="grid gap-3 p-3">
    <div className="grid grid-cols-2 items-end gap-2">
      {Object.entries(spec.filters)
        // A filter that the tab itself sets has no field, because the person cannot change it.
        .filter(([name, filter]) => !isSetByLinkOnly(filter) && !(name in view.tab.query))
        .map(([name, filter]) =>
          filter.kind === 'some' ? (
            <MultiChoiceFilter key={name} name={name} filter={filter} value={view.filters[name]} />
          ) : (
            <Field
              key={name}
              label={<FilterLabel filter={filter} />}
              error={wrong[name]}
              className={hasShortControl(filter) ? undefined : 'col-span-2'}
            >
              {(control) => (
                <FilterControl
                  control={control}
                  name={name}
                  filter={filter}
                  value={view.filters[name]}
                />
              )}
            </Field>
          ),
        )}
    </div>
    <div className="sticky bottom-0 -mx-3 -mb-3 grid border-line border-t bg-raised p-3">
      <Button type="submit" variant="primary">
        Apply
      </Button>
    </div>
  </div>
)

const isDateFilter = (filter: FilterSpec) => filter.kind === 'date' || isInstantFilter(filter)

const isInstantFilter = ({ kind }: FilterSpec) => kind === 'since' || kind === 'until'

/** A day that selects instants is a day in the time zone of the page. */
const FilterLabel = ({ filter }: { filter: FilterSpec }) =>
  isInstantFilter(filter) ? (
    <>
      {filter.label}, <ZoneName />
    </>
  ) : (
    filter.label
  )

const hasShortControl = (filter: FilterSpec) =>
  filter.kind === 'amount' || filter.kind === 'yesno' || isDateFilter(filter)

/**
 * Checkboxes for a filter with several values. Browsers omit unchecked boxes: the hidden field
 * clears the filter if none is checked.
 */
function MultiChoiceFilter({
  name,
  filter,
  value = '',
}: {
  name: string
  filter: FilterSpec
  value?: string
}) {
  const tickedValues = value.split(',')
  return (
    <fieldset className="col-span-2">
      <legend className="mb-1 font-medium text-ink text-sm">{filter.label}</legend>
      <input type="hidden" name={name} value="" />
      <div className="grid grid-cols-2 gap-x-2">
        {Object.entries(filter.choices ?? {}).map(([word, label]) => (
          <Checkbox
            key={word}
            name={name}
            value={word}
            label={label}
            defaultChecked={tickedValues.includes(word)}
            className="min-h-7 py-0.5 pointer-coarse:min-h-control pointer-coarse:py-2.5"
          />
        ))}
      </div>
    </fieldset>
  )
}

type FilterControlProps = {
  control: FieldControl
  name: string
  filter: FilterSpec
  value: string | undefined
}

function FilterControl({ control, name, filter, value }: FilterControlProps) {
  const sharedProps = { ...control, name }
  if (filter.kind === 'amount')
    return (
      <Input
        {...sharedProps}
        inputMode="decimal"
        defaultValue={formatAmountFilter(value)}
        placeholder="0.00"
      />
    )
  if (isDateFilter(filter))
    return <DateFilterInput {...sharedProps} filter={filter} value={value} />
  if (filter.kind === 'choice' || filter.kind === 'yesno') {
    const choiceLabels =
      filter.kind === 'yesno' ? { true: 'yes', false: 'no' } : (filter.choices ?? {})
    return (
      <Select {...sharedProps} defaultValue={value ?? ''}>
        <option value="">Any</option>
        {Object.entries(choiceLabels).map(([word, label]) => (
          <option key={word} value={word}>
            {label}
          </option>
        ))}
      </Select>
    )
  }
  return (
    <Input
      {...sharedProps}
      defaultValue={value}
      placeholder={filter.placeholder}
      maxLength={100}
      autoComplete="off"
    />
  )
}

function DateFilterInput({
  filter,
  value,
  ...control
}: Omit<FilterControlProps, 'control'> & FieldControl) {
  const zone = useZone()
  const time = isInstantFilter(filter) ? parseTime(value) : null
  return (
    <Input {...control} type="date" defaultValue={time === null ? value : toZoneDate(time, zone)} />
  )
}

const focusFirstLink = (panel: HTMLElement | null) => panel?.querySelector('a')?.focus()

type PeriodChoiceProps = { spec: ListSpec; view: ListViewState; onClose: () => void }

/** The URL contains the period's name and no dates: tomorrow the same link selects other days. */
export function PeriodChoice({ spec, view, onClose }: PeriodChoiceProps) {
  const context = usePageContext()
  const renderPeriodLink = (href: string, label: string, isCurrent: boolean) => (
    <li key={label}>
      <ListLink
        href={href}
        aria-current={isCurrent ? 'true' : undefined}
        className={cn(
          'block rounded-sm px-2 py-1.5 hover:bg-sunken pointer-coarse:py-2.5',
          isCurrent && 'bg-selected font-semibold',
        )}
        onClick={onClose}
      >
        {label}
      </ListLink>
    </li>
  )
  return (
    <div ref={focusFirstLink} className="grid gap-2 text-sm">
      {Object.entries(spec.periods ?? {}).map(([date, { label }]) => (
        <section key={date} aria-label={label}>
          <h3 className="px-2 text-ink-3 text-xs">{label}</h3>
          <ul>
            {periodNames.map((name) =>
              renderPeriodLink(
                toPeriodHref(spec, context, view, date, name),
                periodLabels[name],
                view.periods[date] === name,
              ),
            )}
            {view.periods[date] &&
              renderPeriodLink(
                toHrefWithoutFilters(spec, context, view, [date]),
                'Any date',
                false,
              )}
          </ul>
        </section>
      ))}
      <p className="px-2 text-ink-3 text-xs">
        Days are counted in New York, as the banks count them.
      </p>
    </div>
  )
}

/**
 * Checkboxes for the visible columns. The choice is written to the URL, so that Back, links and
 * saved views keep it, and to the preferences for the next visit.
 */
export function ColumnChoice({ spec, view }: { spec: ListSpec; view: ListViewState }) {
  const context = usePageContext()
  const { go } = useListNavigation()
  const { preferences, change } = usePreferences()
  const visibleColumns = listVisibleColumns(spec, view)
  // Columns that the current tab or account does not have are not offered. Their setting stays
  // unchanged.
  const offeredColumns = Object.entries(spec.columns).filter(
    ([name, { tabs }]) =>
      (!tabs || tabs.includes(view.tab.id)) && (name !== 'account' || context.account === null),
  )
  const resetColumns = () => {
    const { [spec.resource]: _, ...columns } = preferences.columns
    change({ columns })
  }
  const toggleColumn = (name: string, isVisible: boolean) => {
    const nextVisibleColumns = Object.keys(spec.columns).filter((each) =>
      each === name ? isVisible : visibleColumns.includes(each),
    )
    change({
      columns: { ...preferences.columns, [spec.resource]: formatColumns(nextVisibleColumns) },
    })
    go(toViewHref(spec, context, view, { columns: nextVisibleColumns, page: view.page }))
  }
  return (
    <div className="grid">
      {offeredColumns.map(([name, { label }], at) => (
        <Checkbox
          key={name}
          autoFocus={at === 0}
          label={label}
          checked={visibleColumns.includes(name)}
          onChange={(event) => toggleColumn(name, event.target.checked)}
        />
      ))}
      {view.columns && (
        <ListLink
          href={toViewHref(spec, context, view, { columns: null, page: view.page })}
          className={buttonVariants({ size: 'small', variant: 'quiet' })}
          onClick={resetColumns}
        >
          Reset columns
        </ListLink>
      )}
    </div>
  )
}
