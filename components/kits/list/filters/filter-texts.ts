import {
  type FilterSpec,
  type ListSpec,
  type ListViewState,
  listFilterLabels,
  periodLabels,
} from '@/components/kits/list/spec'
import { formatDay, formatDayRange } from '@/lib/dates'
import { formatMinorUnits, parseCents } from '@/lib/money'

/** Parses `1,250.00` to cents as text. Null if it is not an amount. */
export function parseAmountFilter(typedText: string): string | null {
  if (typedText === '') return ''
  const cents = parseCents(typedText)
  return cents === null || cents < 0 ? null : String(cents)
}

/** Converts a typed filter to its URL value. Null if the text is invalid for the kind. */
export function parseFilterValue(
  kind: FilterSpec['kind'] | undefined,
  typedText: string,
): string | null {
  if (kind === 'amount') return parseAmountFilter(typedText)
  if (typedText === '' || (kind !== 'since' && kind !== 'until')) return typedText
  return `${typedText.slice(0, 10)}T${kind === 'since' ? '00:00:00' : '23:59:59'}Z`
}

/** Formats cents as an amount like `1,250.00`. Any other text is returned unchanged. */
export function formatAmountFilter(cents: string | undefined): string {
  return cents !== undefined && /^\d{1,12}$/.test(cents)
    ? formatMinorUnits(Number(cents))
    : (cents ?? '')
}

const shortenLongValue = (value: string) => (value.length > 20 ? `…${value.slice(-6)}` : value)

const filterFormattersByKind: Record<
  FilterSpec['kind'],
  (value: string, filter: FilterSpec) => string
> = {
  text: (value) => value,
  amount: (value) => formatAmountFilter(value),
  date: (value) => formatDay(value.slice(0, 10)),
  since: (value) => `${formatDay(value.slice(0, 10))} UTC`,
  until: (value) => `${formatDay(value.slice(0, 10))} UTC`,
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

export function listFilterTexts(
  spec: ListSpec,
  view: ListViewState,
): { name: string; text: string }[] {
  const filterTexts = Object.entries(listFilterLabels(spec)).flatMap(([name, label]) => {
    const value = view.filters[name]
    if (!value) return []
    const filter = spec.filters[name]
    return [
      {
        name,
        text: `${label}: ${filter ? filterFormattersByKind[filter.kind](value, filter) : value}`,
      },
    ]
  })
  return [...listPeriodTexts(spec, view), ...filterTexts]
}
