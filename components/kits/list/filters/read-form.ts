import {
  type FilterSpec,
  type ListSpec,
  type ListViewState,
  listFilterLabels,
} from '@/components/kits/list/spec'
import { isCalendarDate, toDayEnd, toDayStart } from '@/lib/dates'
import { parseId, trimCopied } from '@/lib/domain/pasted-ids'
import { getAmountFaultText, parseCents } from '@/lib/money'

/** Parses `1,250.00` to cents as text. Null if it is not an amount. */
export function parseAmountFilter(typedText: string): string | null {
  if (typedText === '') return ''
  const cents = parseCents(typedText)
  return cents === null || cents < 0 ? null : String(cents)
}

/**
 * Converts a typed filter to its URL value. Null if the text is invalid for the kind. `kind` is
 * undefined for the search. A typed day is a day in the time zone.
 */
export function parseFilterValue(
  kind: FilterSpec['kind'] | undefined,
  typedText: string,
  zone: string,
): string | null {
  if (kind === 'amount') return parseAmountFilter(typedText)
  if (kind === undefined || kind === 'id') return parseId(typedText)?.id ?? trimCopied(typedText)
  if (kind === 'text') return trimCopied(typedText)
  return kind === 'since' || kind === 'until' ? parseDayFilter(kind, typedText, zone) : typedText
}

function parseDayFilter(kind: 'since' | 'until', day: string, zone: string): string | null {
  if (!isCalendarDate(day)) return day === '' ? '' : null
  return new Date(kind === 'since' ? toDayStart(day, zone) : toDayEnd(day, zone)).toISOString()
}

type FilterFormContext = { spec: ListSpec; view: ListViewState; zone: string }

/** `errors`: by the name of the filter. */
export function readFormFilters(
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
