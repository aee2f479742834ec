import type { WebhookView, webhookKinds } from '@/lib/operations/webhooks'
import { findOwnValue } from './service-words'
import type { Tone } from './status'

export const webhookStateWords: Readonly<
  Record<WebhookView['state'], { label: string; tone: Tone }>
> = {
  received: { label: 'In progress', tone: 'moving' },
  matched: { label: 'Processed', tone: 'good' },
  ignored: { label: 'Not used', tone: 'neutral' },
  failed: { label: 'Processing failed', tone: 'bad' },
  refused: { label: 'Refused by Paydesk', tone: 'held' },
}

export const webhookKindWords: Readonly<Record<(typeof webhookKinds)[number], string>> = {
  payouts: 'Payout',
  charges: 'Charge',
  customers: 'Customer',
  paykeys: 'Paykey',
  funding_events: 'Funding event',
  accounts: 'Account',
  representatives: 'Representative',
  linked_bank_accounts: 'Linked bank account',
  capability_requests: 'Capability request',
  unknown: 'Unknown type',
}

/** `Customer changed` for `customer.event.v1`. Null for a type that Paydesk does not know. */
export function describeEventType(eventType: string | null): string | null {
  const [, noun, ending] = /^([a-z_]+)\.(created|event)\.v\d+$/.exec(eventType ?? '') ?? []
  const kindWord = noun && findOwnValue(webhookKindWords, `${noun}s`)
  return kindWord ? `${kindWord} ${ending === 'created' ? 'created' : 'changed'}` : null
}

const ignoredEventTexts: Readonly<Record<string, string>> = {
  unknown_kind: 'Unknown event type',
  not_readable: 'The object could not be read',
  not_verified: 'No valid signature: such an event changes nothing',
  customer_deleted: 'The customer was deleted',
  other_account:
    'Names another account than the object is known to belong to: the service was asked instead',
  no_payload: 'The payload is no longer stored',
}

const refusalCauseTexts: Readonly<Record<string, string>> = {
  not_set_up: 'No secret was set',
  malformed: 'Malformed',
  too_old: 'Timestamp more than 5 minutes off',
  wrong_signature: 'Wrong signature',
  too_large: 'Body too large',
  too_slow: 'Body arrived too slowly',
  too_many: 'Too many refused from one network',
}

export const getRefusalCauseText = (cause: string): string =>
  findOwnValue(refusalCauseTexts, cause) ?? cause

export function getWebhookNoteText({
  state,
  note,
}: Pick<WebhookView, 'state' | 'note'>): string | null {
  if (note === null) return null
  if (state === 'refused') return getRefusalCauseText(note)
  return findOwnValue(ignoredEventTexts, note) ?? `The last try failed: ${note}`
}
