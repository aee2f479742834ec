/** A funding event in a list. */
export type FundingEventSummary = {
  id: string
  amount: number
  direction: string
  event_type: string
  payment_count: number
  transfer_date: string
  trace_number: string | null
  trace_numbers: string[]
  trace_ids: Record<string, string>
  created_at: string
  status: string
  status_details: { reason: string; source: string; changed_at: string }
}

const toNewYorkDate = (at: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(at))

type FilterCase = [
  name: string,
  query: (sample: FundingEventSummary) => string,
  means: (event: FundingEventSummary, sample: FundingEventSummary) => boolean,
]

export const filterCases: FilterCase[] = [
  ['direction', () => 'direction=deposit', (event) => event.direction === 'deposit'],
  ['event_type', () => 'event_type=payout_return', (event) => event.event_type === 'payout_return'],
  [
    'status',
    () => 'status=pending&status=failed',
    (event) => ['pending', 'failed'].includes(event.status),
  ],
  [
    'status, joined',
    () => 'status=pending,reversed',
    (event) => ['pending', 'reversed'].includes(event.status),
  ],
  ['status_reason', () => 'status_reason=ok', (event) => event.status_details.reason === 'ok'],
  [
    'status_source',
    () => 'status_source=bank_decline',
    (event) => event.status_details.source === 'bank_decline',
  ],
  [
    'trace_number',
    (sample) => `trace_number=${sample.trace_number}`,
    (event, sample) => event.trace_number === sample.trace_number,
  ],
  [
    'trace_id',
    (sample) => `trace_id=${sample.trace_number}`,
    (event, sample) => event.trace_number === sample.trace_number,
  ],
  [
    'search_text',
    () => 'search_text=PAYOUT%20deposit',
    (event) => event.event_type === 'payout_return',
  ],
  [
    'search_text, an id',
    (sample) => `search_text=${sample.id}`,
    (event, sample) => event.id === sample.id,
  ],
  [
    'created_from and created_to, days in New York, both included',
    (sample) =>
      `created_from=${toNewYorkDate(sample.created_at)}&created_to=${toNewYorkDate(sample.created_at)}`,
    (event, sample) => toNewYorkDate(event.created_at) === toNewYorkDate(sample.created_at),
  ],
]
