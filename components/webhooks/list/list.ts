import type { ListSpec, ListViewState } from '@/components/kits/list/spec'
import { webhookKindWords, webhookStateWords } from '@/lib/domain/webhook-labels'

export const webhookList = {
  resource: 'webhooks',
  operation: null,
  title: 'Webhooks',
  one: 'webhook',
  many: 'webhooks',
  tabs: [
    {
      id: 'all',
      label: 'All',
      query: {},
      empty: 'No webhooks yet. Events are kept for 30 days.',
    },
    {
      id: 'progress',
      label: webhookStateWords.received.label,
      query: { state: 'received' },
      empty: 'No webhook is in progress.',
    },
    {
      id: 'failed',
      label: webhookStateWords.failed.label,
      query: { state: 'failed' },
      empty: 'No webhook failed in the last 30 days.',
    },
    {
      id: 'matched',
      label: webhookStateWords.matched.label,
      query: { state: 'matched' },
      empty: 'No webhook has changed a record yet.',
    },
    {
      id: 'ignored',
      label: webhookStateWords.ignored.label,
      query: { state: 'ignored' },
      empty: 'Paydesk used every webhook.',
    },
    {
      id: 'refused',
      label: webhookStateWords.refused.label,
      query: { state: 'refused' },
      empty: 'No delivery was refused in the last 30 days.',
    },
  ],
  search: { name: 'search_text', placeholder: 'Webhook ID, record ID' },
  filters: {
    kind: { label: 'Type', kind: 'choice', choices: webhookKindWords },
    signature: {
      label: 'Signature',
      kind: 'choice',
      choices: { verified: 'Valid', unverified: 'Not valid' },
    },
    received_from: { label: 'Received from', kind: 'since' },
    received_to: { label: 'Received to', kind: 'until' },
    target: { label: 'Record', kind: 'link' },
  },
  periods: {
    received: { label: 'Received', from: 'received_from', to: 'received_to', kind: 'instant' },
  },
  sorts: ['received_at'],
  order: 'desc',
  columns: {
    target: { label: 'Record' },
    account: { label: 'Account' },
    note: { label: 'Note' },
    tries: { label: 'Attempts', hidden: true },
    id: { label: 'Webhook ID', hidden: true },
  },
} as const satisfies ListSpec<null>

/** Paydesk stores no refused webhooks, only their number per cause and day. */
export const getWebhookList = ({ tab }: Pick<ListViewState, 'tab'>): ListSpec<null> =>
  tab.id === 'refused'
    ? { ...webhookList, one: 'refusal count', many: 'refusal counts', columns: {} }
    : webhookList
