import { dayText } from '@/lib/dates'
import { formatMinor, minorUnits } from '@/lib/money'
import { type FilterName, filterLabels, type PayoutView } from './payout-view'

/** The reasons worth filtering by, in words; the URL keeps the service's own word, so an unknown one still works. */
export const reasonWords: Readonly<Record<string, string>> = {
  auto_hold: 'Held on purpose when created',
  amount_too_large: 'Over a limit',
  user_request: 'Held by a person',
  risk_review: 'Risk review',
  watchtower_review: 'Provider’s review',
  invalid_paykey: 'Bank account not usable',
  insufficient_funds: 'Not enough money',
  closed_bank_account: 'Bank account closed',
  disputed: 'Disputed',
  duplicate_entry: 'Looks like a duplicate',
}

/** A typed amount like `1,250.00` as the cents the search wants; empty stays empty, and null is not an amount. */
export function amountField(typed: string): string | null {
  if (typed === '') return ''
  const cents = minorUnits(typed.replaceAll(',', ''), 'major')
  return cents === null || cents < 0 ? null : String(cents)
}

/** Cents of the URL as a person types them; other text stays as it is. */
export function amountWord(cents: string | undefined): string {
  return cents !== undefined && /^\d{1,12}$/.test(cents) ? formatMinor(Number(cents)) : (cents ?? '')
}

/** What each active filter says, in the order of the table of filters. */
export function filterTexts(view: PayoutView): { name: FilterName; text: string }[] {
  return (Object.keys(filterLabels) as FilterName[]).flatMap((name) => {
    const value = view.filters[name]
    return value ? [{ name, text: `${filterLabels[name]}: ${valueText(name, value)}` }] : []
  })
}

const yesNo = (value: string) => (value === 'true' ? 'yes' : 'no')
const tail = (value: string) => `…${value.slice(-6)}`

const valueTexts: Partial<Record<FilterName, (value: string) => string>> = {
  min_amount: amountWord,
  max_amount: amountWord,
  min_payment_date: dayText,
  max_payment_date: dayText,
  status_reason: (value) => reasonWords[value] ?? value,
  is_refund: yesNo,
  is_resubmit: yesNo,
  customer_id: tail,
  paykey_id: tail,
}

const valueText = (name: FilterName, value: string) => valueTexts[name]?.(value) ?? value
