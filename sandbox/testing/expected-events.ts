import type { JournalRow } from '@/sandbox/http/journal'

const made = (resource: string) => [`${resource}.created.v1`, `${resource}.event.v1`]
const changed = (resource: string) => [`${resource}.event.v1`]

const ofPayments = (type: 'charge' | 'payout') => ({
  [`${type}s.create`]: made(type),
  [`${type}s.update`]: changed(type),
  [`${type}s.hold`]: changed(type),
  [`${type}s.release`]: changed(type),
  [`${type}s.cancel`]: changed(type),
  [`${type}s.authorize`]: changed(type),
  // The first one changes the original as well, a repeat does not.
  [`${type}s.resubmit`]: made(type),
})

/** The kinds of events that each write must make at the moment of its effect (provider-facts 4.7); a kind may be made for several objects. */
export const eventsOfWrites: Readonly<Record<string, readonly string[]>> = {
  ...ofPayments('charge'),
  ...ofPayments('payout'),
  // As with a resubmit, the charge changes with the first one only.
  'charges.refund': made('payout'),
  'customers.create': made('customer'),
  'customers.update': changed('customer'),
  'customers.delete': changed('customer'),
  'customers.decide': changed('customer'),
  'customers.refresh_review': changed('customer'),
  // A token is no resource yet.
  'bridge.initialize': [],
  'bridge.bank_account': made('paykey'),
  'bridge.plaid': made('paykey'),
  'bridge.quiltt': made('paykey'),
  'bridge.tan': made('paykey'),
  'bridge.speedchex': made('paykey'),
  'paykeys.cancel': changed('paykey'),
  'paykeys.decide': changed('paykey'),
  'paykeys.refresh_review': changed('paykey'),
  'paykeys.refresh_balance': changed('paykey'),
  'paykeys.unblock': changed('paykey'),
  'funding_events.simulate': made('funding_event'),
  'accounts.create': made('account'),
  'accounts.update': changed('account'),
  'accounts.onboard': [...changed('account'), ...changed('representative'), ...changed('linked_bank_account')],
  'accounts.simulate': changed('account'),
  // The provider has no events of organizations.
  'organizations.create': [],
  'representatives.create': made('representative'),
  'representatives.update': changed('representative'),
  'linked_bank_accounts.create': made('linked_bank_account'),
  'linked_bank_accounts.update': changed('linked_bank_account'),
  'linked_bank_accounts.cancel': changed('linked_bank_account'),
  'capability_requests.create': made('capability_request'),
  'capability_requests.create_for_account': made('capability_request'),
}

/** What is looked at of an event, as the control plane lists it. */
export type ListedEvent = { seq: number; type: string; object_id: string; at: string }

/** The events that effects of the journal should have made at their moment and did not, as lines that say which, each once. */
export function missingEvents(effects: readonly JournalRow[], events: readonly ListedEvent[]): string[] {
  const seen = new Set(events.flatMap(({ type, object_id, at }) => [`${at} ${type}`, `${at} ${object_id}`]))
  const lines = effects.flatMap(({ operation, target_id, at }) => {
    const kinds = eventsOfWrites[operation] ?? []
    const missing = kinds.filter((kind) => !seen.has(`${at} ${kind}`)).map((kind) => `${operation} made no ${kind}`)
    if (kinds.length > 0 && !seen.has(`${at} ${target_id}`)) missing.push(`${operation} made no event about its object`)
    return missing
  })
  return [...new Set(lines)]
}
