import type { JournalRow } from '@/sandbox/http/journal'

const made = (resource: string) => [`${resource}.created.v1`, `${resource}.event.v1`]
const changed = (resource: string) => [`${resource}.event.v1`]

/** The writes whose events do not follow from their names. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // The first one changes the original as well, a repeat does not.
  'charges.resubmit': made('charge'),
  'payouts.resubmit': made('payout'),
  'charges.refund': made('payout'),
  // A token is no resource yet.
  'bridge.initialize': [],
  'bridge.bank_account': made('paykey'),
  'bridge.plaid': made('paykey'),
  'bridge.quiltt': made('paykey'),
  'bridge.tan': made('paykey'),
  'bridge.speedchex': made('paykey'),
  'bridge.page': made('paykey'),
  'funding_events.simulate': made('funding_event'),
  'accounts.onboard': [...changed('account'), ...changed('representative'), ...changed('linked_bank_account')],
  // The provider has no events of organizations.
  'organizations.create': [],
  'capability_requests.create_for_account': made('capability_request'),
}

/** The kinds of events that a write must make at the moment of its effect (provider-facts 4.7); a kind may be made for several objects. */
export function eventsOfWrite(id: string): readonly string[] {
  const [resources = '', verb] = id.split('.')
  const resource = resources.replace(/s$/, '')
  return exceptions[id] ?? (verb === 'create' ? made(resource) : changed(resource))
}

/** What is looked at of an event, as the control plane lists it. */
export type ListedEvent = { seq: number; type: string; object_id: string; at: string }

/** The events that effects of the journal should have made at their moment and did not, as lines that say which, each once. */
export function missingEvents(effects: readonly JournalRow[], events: readonly ListedEvent[]): string[] {
  const seen = new Set(events.flatMap(({ type, object_id, at }) => [`${at} ${type}`, `${at} ${object_id}`]))
  const lines = effects.flatMap(({ operation, target_id, at }) => {
    const kinds = eventsOfWrite(operation)
    const missing = kinds.filter((kind) => !seen.has(`${at} ${kind}`)).map((kind) => `${operation} made no ${kind}`)
    if (kinds.length > 0 && !seen.has(`${at} ${target_id}`)) missing.push(`${operation} made no event about its object`)
    return missing
  })
  return [...new Set(lines)]
}
