import { formatGenericZoneName } from '@/components/kits/layout/relative-time'
import {
  type FilterSpec,
  type ListSpec,
  type ListViewState,
  listFilterLabels,
  periodLabels,
} from '@/components/kits/list/spec'
import { getShownTimeZone, type Preferences } from '@/lib/client/preferences'
import {
  formatDay,
  formatDayRange,
  formatTimeOfDay,
  toDayEnd,
  toDayStart,
  toZoneDate,
} from '@/lib/dates'
import { formatMinorUnits } from '@/lib/money'

/** Formats cents as an amount like `1,250.00`. Any other text is returned unchanged. */
export function formatAmountFilter(cents: string | undefined): string {
  return cents !== undefined && /^\d{1,12}$/.test(cents)
    ? formatMinorUnits(Number(cents))
    : (cents ?? '')
}

const shortenLongValue = (value: string) => (value.length > 20 ? `…${value.slice(-6)}` : value)

/** The day of an instant. Adds the time if the instant does not begin or end that day. */
function formatInstantFilter(
  value: string,
  kind: 'since' | 'until',
  preferences: Preferences,
): string {
  const time = Date.parse(value)
  if (Number.isNaN(time)) return value
  const zone = getShownTimeZone(preferences)
  const date = toZoneDate(time, zone)
  const isWholeDay =
    kind === 'since' ? time === toDayStart(date, zone) : time === toDayEnd(date, zone)
  const timeText = isWholeDay
    ? ''
    : `, ${formatTimeOfDay(time, zone, preferences.clock, { seconds: false })}`
  const zoneName = formatGenericZoneName(zone, time)
  return `${formatDay(date, preferences.dateOrder)}${timeText} ${zoneName}`
}

const filterFormattersByKind: Record<
  FilterSpec['kind'],
  (value: string, filter: FilterSpec, preferences: Preferences) => string
> = {
  text: (value) => value,
  amount: (value) => formatAmountFilter(value),
  date: (value, _filter, { dateOrder }) => formatDay(value.slice(0, 10), dateOrder),
  since: (value, _filter, preferences) => formatInstantFilter(value, 'since', preferences),
  until: (value, _filter, preferences) => formatInstantFilter(value, 'until', preferences),
  choice: (value, filter) => filter.choices?.[value] ?? value,
  some: (value, filter) =>
    value
      .split(',')
      .map((each) => filter.choices?.[each] ?? each)
      .join(', '),
  yesno: (value) => (value === 'true' ? 'yes' : 'no'),
  id: shortenLongValue,
  link: shortenLongValue,
  quote: (value) => value,
}

const listPeriodTexts = (spec: ListSpec, { periods, resolved }: ListViewState) =>
  Object.entries(spec.periods ?? {}).flatMap(([date, { label }]) => {
    const [name, days] = [periods[date], resolved[date]]
    return name && days
      ? [
          {
            name: date,
            text: `${label}: ${periodLabels[name]}, ${formatDayRange(days.first, days.last)}, New York`,
          },
        ]
      : []
  })

/** The names of the filters and periods that are set. */
export const listActiveFilterNames = (spec: ListSpec, { filters, periods }: ListViewState) => [
  ...Object.keys(spec.periods ?? {}).filter((date) => periods[date]),
  ...Object.keys(listFilterLabels(spec)).filter((name) => filters[name]),
]

export function listFilterTexts(
  spec: ListSpec,
  view: ListViewState,
  preferences: Preferences,
): { name: string; text: string }[] {
  const filterTexts = Object.entries(listFilterLabels(spec)).flatMap(([name, label]) => {
    const value = view.filters[name]
    if (!value) return []
    const filter = spec.filters[name]
    return [
      {
        name,
        text: `${label}: ${filter ? filterFormattersByKind[filter.kind](value, filter, preferences) : value}`,
      },
    ]
  })
  return [...listPeriodTexts(spec, view), ...filterTexts]
}
