export const pickRandom = (list) => list[Math.floor(Math.random() * list.length)]

const dayMs = 86_400_000
const toIsoDay = (time) => new Date(time).toISOString().slice(0, 10)
const toTimeRangeFilter = (name, time, days) => ({
  [`min_${name}`]: new Date(time - days * dayMs).toISOString(),
  [`max_${name}`]: new Date(time + days * dayMs).toISOString(),
})
const pickWord = (text) => pickRandom(text.split(/\s+/).filter((word) => word !== '')) ?? 'a'

/** Words that a large part of all payments contains. Searches for them are the slowest. */
const commonWords = ['commission', 'payment', 'for', 'a', 'e', 'o', 'invoice', 'refund']

/** Takes each value from a random payment, so that most pairs of filters match some payments. */
export const filterBuildersByField = {
  payment_type: ({ item }) => ({ payment_type: item.payment_type }),
  payment_status: ({ item }) => ({ payment_status: item.status }),
  status_reason: ({ item }) => ({ status_reason: item.status_details.reason }),
  status_source: ({ item }) => ({ status_source: item.status_details.source }),
  account: ({ account }) => ({ account: `acct_${account}` }),
  payment_id: ({ item }) => ({ payment_id: item.id }),
  customer_id: ({ item }) => ({ customer_id: item.customer_details.id }),
  paykey_id: ({ item }) => ({ paykey_id: item.paykey_details.id }),
  paykey: ({ item }) => ({ paykey: item.paykey }),
  funding_id: ({ item, event }) => ({ funding_id: item.funding_ids[0] ?? event.id }),
  external_id: ({ item }) => ({ external_id: item.external_id }),
  amount: ({ item }) => ({
    min_amount: Math.floor(Number(item.amount) / 2),
    max_amount: Number(item.amount) * 2,
  }),
  payment_date: ({ item }) => ({
    min_payment_date: toIsoDay(Date.parse(item.payment_date) - 5 * dayMs),
    max_payment_date: toIsoDay(Date.parse(item.payment_date) + 5 * dayMs),
  }),
  created_at: ({ item }) => toTimeRangeFilter('created_at', Date.parse(item.created_at), 5),
  updated_at: ({ item }) => toTimeRangeFilter('updated_at', Date.parse(item.updated_at), 5),
  effective_at: ({ item }) =>
    toTimeRangeFilter('effective_at', Date.parse(item.effective_at ?? item.created_at), 5),
  is_refund: ({ item }) => ({ is_refund: item.is_refund }),
  has_refund: ({ item }) => ({ has_refund: item.has_refund }),
  is_resubmit: ({ item }) => ({ is_resubmit: item.is_resubmit }),
  has_resubmit: ({ item }) => ({ has_resubmit: item.has_resubmit }),
  'search_text, a word of it': ({ item }) => ({
    search_text: pickWord(`${item.customer_details.name} ${item.description}`),
  }),
  'search_text, a common word': () => ({ search_text: pickRandom(commonWords) }),
}

const buildDateFilters = ({ item }) => ({
  created_from: item.created_at,
  created_to: new Date(Date.parse(item.created_at) + 30 * dayMs).toISOString(),
})

export const filterableLists = {
  customers: {
    path: '/v1/customers',
    sorts: ['name', 'created_at'],
    filters: {
      created: buildDateFilters,
      name: ({ item }) => ({ name: pickWord(item.name) }),
      email: ({ item }) => ({ email: item.email }),
      external_id: ({ item }) => ({ external_id: item.external_id ?? 'none' }),
      status: ({ item }) => ({ status: item.status }),
      types: ({ item }) => ({ types: item.type }),
      account: ({ account }) => ({ account: `acct_${account}` }),
      search_text: ({ item }) => ({ search_text: pickWord(item.name) }),
    },
  },
  paykeys: {
    path: '/v1/paykeys',
    sorts: ['institution_name', 'expires_at', 'created_at'],
    filters: {
      created: buildDateFilters,
      customer_id: ({ item }) => ({ customer_id: item.customer_id }),
      status: ({ item }) => ({ status: item.status }),
      source: ({ item }) => ({ source: item.source }),
      unblock_eligible: ({ item }) => ({ unblock_eligible: item.unblock_eligible ?? false }),
      account: ({ account }) => ({ account: `acct_${account}` }),
      search_text: ({ item }) => ({ search_text: pickWord(item.label) }),
    },
  },
  'funding events': {
    path: '/v1/funding_events',
    sorts: ['id', 'transfer_date', 'amount'],
    filters: {
      created: ({ item }) => ({
        created_from: item.transfer_date,
        created_to: toIsoDay(Date.parse(item.transfer_date) + 30 * dayMs),
      }),
      direction: ({ item }) => ({ direction: item.direction }),
      event_type: ({ item }) => ({ event_type: item.event_type }),
      trace_number: ({ item }) => ({ trace_number: item.trace_number ?? 'none' }),
      status: ({ item }) => ({ status: item.status }),
      status_reason: ({ item }) => ({ status_reason: item.status_details.reason }),
      status_source: ({ item }) => ({ status_source: item.status_details.source }),
      account: ({ account }) => ({ account: `acct_${account}` }),
      search_text: ({ item }) => ({ search_text: item.transfer_date.slice(0, 7) }),
    },
  },
}

export const listFilterPairs = (names) =>
  names.flatMap((first, index) => names.slice(index + 1).map((second) => [first, second]))
