import 'server-only'
import type { Environment } from '@/lib/operations/define'
import type { ExportedList } from '@/lib/operations/desk/exports'
import { formatPlainAmount } from './csv'

const maxFilterLength = 100

/** The filters whose values are words, days or amounts, and never personal data. */
const valueFormatters: Readonly<Record<string, (value: string) => string>> = {
  payment_type: String,
  payment_status: String,
  status: String,
  state: String,
  types: String,
  type: String,
  direction: String,
  event_type: String,
  is_refund: String,
  has_refund: String,
  is_resubmit: String,
  has_resubmit: String,
  unblock_eligible: String,
  min_amount: (cents) => formatPlainAmount(Number(cents)),
  max_amount: (cents) => formatPlainAmount(Number(cents)),
}

const formatFilterValue = (name: string, value: string): string => {
  if (/^\d{4}-\d\d-\d\d/.test(value)) return value.slice(0, 10)
  return valueFormatters[name]?.(value) ?? ''
}

/** A file name says the filters. Of a filter that can contain personal data, it says only the name. */
export function formatExportFileName(
  list: ExportedList,
  environment: Environment,
  filters: Readonly<Record<string, unknown>>,
  now: Date,
): string {
  const filterText = Object.entries(filters)
    .filter(([name]) => !/^(?:sort_by|sort_order|page_\w+)$/.test(name))
    .map(([name, value]) => `${name} ${formatFilterValue(name, String(value))}`)
    .sort()
    .join(' ')
  const nameParts = [
    list,
    environment,
    filterText.slice(0, maxFilterLength),
    now.toISOString().slice(0, 10),
  ]
  return `${nameParts
    .map((part) => part.replace(/[^a-z0-9.]+/gi, '-').replace(/^-|-$/g, ''))
    .filter((part) => part !== '')
    .join('-')}.csv`
}
