import { getStatusWords, statusText, type Tone } from '@/lib/domain/status'
import { getVerdictWords } from '@/lib/domain/verification'

/** `position` (0 to 1) is the place of the score on a bar. */
type RiskWords = { label: string; tone: Tone; position: number; text: string }

/** The service defines no levels: these are our own, only for display. */
const riskBounds = { medium: 0.4, high: 0.8 } as const

/**
 * `score` is from 0 to 1; high is bad. Null if it is missing or invalid: it must not look like a
 * low risk.
 */
export function toRiskWords(score: number | undefined): RiskWords | null {
  if (score === undefined || !(score >= 0 && score <= 1)) return null
  // Rounded up, so that 0.001 is not shown as zero.
  const sharedFields = { position: score, text: (Math.ceil(score * 100) / 100).toFixed(2) }
  if (score >= riskBounds.high) return { label: 'High risk', tone: 'bad', ...sharedFields }
  return score >= riskBounds.medium
    ? { label: 'Medium risk', tone: 'held', ...sharedFields }
    : { label: 'Low risk', tone: 'good', ...sharedFields }
}

/** `money` is whole cents; `dates` are calendar days, newest first. */
export type ReputationCounter = { name: string; label: string } & (
  | { kind: 'count' | 'money'; value: number }
  | { kind: 'dates'; value: readonly string[] }
  | { kind: 'text'; value: string }
)

/** In a `grave` group, a count above zero is negative for the customer. */
type CounterGroup = { id: string; label: string; grave: boolean; counters: ReputationCounter[] }

const counterGroupDefinitions: readonly {
  id: string
  label: string
  prefix: string
  grave: boolean
}[] = [
  { id: 'ach_fraud', label: 'ACH fraud', prefix: 'ach_fraud_transactions_', grave: true },
  { id: 'ach_returned', label: 'ACH returned', prefix: 'ach_returned_transactions_', grave: true },
  { id: 'card_fraud', label: 'Card fraud', prefix: 'card_fraud_transactions_', grave: true },
  {
    id: 'card_disputed',
    label: 'Card disputed',
    prefix: 'card_disputed_transactions_',
    grave: true,
  },
  { id: 'card_stopped', label: 'Card stopped', prefix: 'card_stopped_transactions_', grave: true },
  { id: 'accounts', label: 'Accounts', prefix: 'accounts_', grave: false },
  { id: 'applications', label: 'Applications', prefix: 'applications_', grave: false },
  { id: 'user', label: 'Known data of this person', prefix: 'user_', grave: false },
]

const counterLabels: Readonly<Record<string, string>> = {
  user_institution_count: 'Banks',
  user_dob_count: 'Dates of birth',
  user_mobile_count: 'Phone numbers',
  user_email_count: 'Email addresses',
  user_address_count: 'Addresses',
  user_active_profile_count: 'Active profiles',
  user_closed_profile_count: 'Closed profiles',
}

const toSentenceCase = (text: string) =>
  text.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())

function toReputationCounter(
  name: string,
  nameSuffix: string,
  value: number | string | readonly string[],
): ReputationCounter {
  if (Array.isArray(value)) return { name, label: toSentenceCase(nameSuffix), kind: 'dates', value }
  if (typeof value === 'string')
    return { name, label: toSentenceCase(nameSuffix), kind: 'text', value }
  const counterLabel =
    (Object.hasOwn(counterLabels, name) && counterLabels[name]) ||
    toSentenceCase(nameSuffix.replace(/_?count$/, '').replace(/_?total_amount$/, '')) ||
    'Count'
  if (nameSuffix.endsWith('total_amount'))
    return {
      name,
      label: counterLabel === 'Count' ? 'Total' : counterLabel,
      kind: 'money',
      value: value as number,
    }
  return { name, label: counterLabel, kind: 'count', value: value as number }
}

/** Provider facts 2.11. Totals are cents. Counters that were not reported are left out. */
export function toReputationGroups(
  insights: Readonly<Record<string, number | string | readonly string[]>>,
): CounterGroup[] {
  const findGroup = (name: string) =>
    counterGroupDefinitions.find(({ prefix }) => name.startsWith(prefix))
  const otherGroup = { id: 'other', label: 'Other', prefix: '', grave: false }
  const allGroups = [...counterGroupDefinitions, otherGroup].map(
    ({ id, label, prefix, grave }) => ({
      id,
      label,
      grave,
      counters: Object.entries(insights)
        .filter(
          ([name, value]) =>
            (findGroup(name)?.id ?? 'other') === id &&
            !(Array.isArray(value) && value.length === 0),
        )
        .map(([name, value]) => toReputationCounter(name, name.slice(prefix.length), value)),
    }),
  )
  return allGroups.filter(({ counters }) => counters.length > 0)
}

export const hasNegativeCounter = ({ grave, counters }: CounterGroup): boolean =>
  counters.some(
    (counter) =>
      counter.kind === 'count' &&
      counter.value > 0 &&
      (grave || /_fraud_count$/.test(counter.name)),
  )

type ModuleResult = { decision?: string | undefined }

type VerificationResult = ModuleResult & { breakdown: Readonly<Record<string, ModuleResult>> } & {
  [module in 'kyc' | 'watch_list' | 'network_alerts' | 'reputation']?: ModuleResult | undefined
}

const joinNames = (names: readonly string[]) =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '')

/** `watch lists and email (needs review), fraud (failed)`; empty if all modules passed. */
function formatFailedModules(details: VerificationResult): string {
  const moduleDecisions = [
    ...Object.entries(details.breakdown).map(
      ([name, { decision }]) => [name.replaceAll('_', ' '), decision] as const,
    ),
    ['identity fields', details.kyc?.decision] as const,
    ['watch lists', details.watch_list?.decision] as const,
    ['network alerts', details.network_alerts?.decision] as const,
    ['reputation', details.reputation?.decision] as const,
  ]
  const namesByVerdict = new Map<string, string[]>()
  for (const [name, decision] of moduleDecisions) {
    if (decision === undefined || decision === 'accept') continue
    const verdict = getVerdictWords(decision).label.toLowerCase()
    namesByVerdict.set(verdict, [...(namesByVerdict.get(verdict) ?? []), name])
  }
  return [...namesByVerdict]
    .map(([verdict, names]) => `${joinNames(names)} (${verdict})`)
    .join(', ')
}

function failedChecksText(details: VerificationResult): string {
  const failedModules = formatFailedModules(details)
  return failedModules === ''
    ? 'the identity checks did not pass.'
    : `not all checks passed: ${failedModules}.`
}

const formatReviewStatus = (failedModules: string) =>
  failedModules === '' ? 'all checks passed; a reviewer must still decide.' : `${failedModules}.`

/**
 * The status alone does not show if a verified customer passed the checks, or was verified although
 * they failed. `details` is undefined if the verification was not read or does not exist.
 */
export function formatCustomerStatusLine(
  status: string,
  details: VerificationResult | undefined,
): string {
  const statusWords = getStatusWords('customer', status)
  const { label } = statusWords
  if (!details) return statusText(statusWords)
  const isAccepted = details.decision === 'accept'
  if (status === 'review') return `${label}: ${formatReviewStatus(formatFailedModules(details))}`
  if (status === 'verified' && isAccepted) return `${label}: Identity checks passed.`
  if (status === 'verified') return `${label} although ${failedChecksText(details)}`
  if (status === 'rejected' && isAccepted) return `${label} although the identity checks passed.`
  return statusText(statusWords)
}
