/** A counter of the network as people read it: `count` is a number, `money` whole cents, `dates` calendar days, newest first. */
export type Counter = { name: string; label: string } & (
  | { kind: 'count' | 'money'; value: number }
  | { kind: 'dates'; value: readonly string[] }
  | { kind: 'text'; value: string }
)

/** Counters that belong together. `grave` ones say something against the customer as soon as one of their counts is above zero. */
export type CounterGroup = { id: string; label: string; grave: boolean; counters: Counter[] }

const groups: readonly { id: string; label: string; prefix: string; grave: boolean }[] = [
  { id: 'ach_fraud', label: 'ACH fraud', prefix: 'ach_fraud_transactions_', grave: true },
  { id: 'ach_returned', label: 'ACH returned', prefix: 'ach_returned_transactions_', grave: true },
  { id: 'card_fraud', label: 'Card fraud', prefix: 'card_fraud_transactions_', grave: true },
  { id: 'card_disputed', label: 'Card disputed', prefix: 'card_disputed_transactions_', grave: true },
  { id: 'card_stopped', label: 'Card stopped', prefix: 'card_stopped_transactions_', grave: true },
  { id: 'accounts', label: 'Accounts', prefix: 'accounts_', grave: false },
  { id: 'applications', label: 'Applications', prefix: 'applications_', grave: false },
  { id: 'user', label: 'What is known of the person', prefix: 'user_', grave: false },
]

/** Counters of the person whose names say little. */
const told: Readonly<Record<string, string>> = {
  user_institution_count: 'Banks',
  user_dob_count: 'Dates of birth',
  user_mobile_count: 'Phone numbers',
  user_email_count: 'E-mail addresses',
  user_address_count: 'Addresses',
  user_active_profile_count: 'Active profiles',
  user_closed_profile_count: 'Closed profiles',
}

const words = (text: string) => text.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())

function counterOf(name: string, rest: string, value: number | string | readonly string[]): Counter {
  if (Array.isArray(value)) return { name, label: words(rest), kind: 'dates', value }
  if (typeof value === 'string') return { name, label: words(rest), kind: 'text', value }
  const label = (Object.hasOwn(told, name) && told[name]) || words(rest.replace(/_?count$/, '').replace(/_?total_amount$/, '')) || 'Count'
  if (rest.endsWith('total_amount')) return { name, label: label === 'Count' ? 'Total' : label, kind: 'money', value: value as number }
  return { name, label, kind: 'count', value: value as number }
}

/**
 * The counters that were reported, grouped (provider facts 2.11); totals are taken for cents as all amounts of the service. What nobody reported
 * is not there, and one without a known group stands under "Other".
 */
export function reputationGroups(insights: Readonly<Record<string, number | string | readonly string[]>>): CounterGroup[] {
  const groupOf = (name: string) => groups.find(({ prefix }) => name.startsWith(prefix))
  const other = { id: 'other', label: 'Other', prefix: '', grave: false }
  const drawn = [...groups, other].map(({ id, label, prefix, grave }) => ({
    id,
    label,
    grave,
    counters: Object.entries(insights)
      .filter(([name, value]) => (groupOf(name)?.id ?? 'other') === id && !(Array.isArray(value) && value.length === 0))
      .map(([name, value]) => counterOf(name, name.slice(prefix.length), value)),
  }))
  return drawn.filter(({ counters }) => counters.length > 0)
}

/** Whether a group says something against the customer. */
export const isStained = ({ grave, counters }: CounterGroup): boolean =>
  counters.some((counter) => counter.kind === 'count' && counter.value > 0 && (grave || /_fraud_count$/.test(counter.name)))
