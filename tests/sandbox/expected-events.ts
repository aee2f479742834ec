import type { JournalRow } from '@/sandbox/http/journal'

const creationEvents = (resource: string) => [`${resource}.created.v1`, `${resource}.event.v1`]
const changed = (resource: string) => [`${resource}.event.v1`]

/** Writes whose events do not follow from their names. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // The first one also changes the original; a repeat does not.
  'charges.resubmit': creationEvents('charge'),
  'payouts.resubmit': creationEvents('payout'),
  'charges.refund': creationEvents('payout'),
  // A token is not a resource.
  'bridge.initialize': [],
  'bridge.bank_account': creationEvents('paykey'),
  'bridge.plaid': creationEvents('paykey'),
  'bridge.quiltt': creationEvents('paykey'),
  'bridge.tan': creationEvents('paykey'),
  'bridge.speedchex': creationEvents('paykey'),
  'bridge.page': creationEvents('paykey'),
  'funding_events.simulate': creationEvents('funding_event'),
  'accounts.onboard': [...changed('account'), ...changed('representative'), ...changed('linked_bank_account')],
  // The provider has no organization events.
  'organizations.create': [],
  'capability_requests.create_for_account': creationEvents('capability_request'),
}

/**
 * Returns the event types that a write must create at the time of its effect (provider-facts 4.7); one type may occur for several objects.
 */
export function eventsOfWrite(id: string): readonly string[] {
  const [resources = '', verb] = id.split('.')
  const resource = resources.replace(/s$/, '')
  return exceptions[id] ?? (verb === 'create' ? creationEvents(resource) : changed(resource))
}

/** The checked fields of an event in the control plane. */
export type ListedEvent = { seq: number; type: string; object_id: string; at: string }

/** Returns a line for each event that a journal effect should have created at its time and did not, without duplicates. */
export function missingEvents(effects: readonly JournalRow[], events: readonly ListedEvent[]): string[] {
  const eventKeys = new Set(events.flatMap(({ type, object_id, at }) => [`${at} ${type}`, `${at} ${object_id}`]))
  const lines = effects.flatMap(({ operation, target_id, at }) => {
    const kinds = eventsOfWrite(operation)
    const missing = kinds.filter((kind) => !eventKeys.has(`${at} ${kind}`)).map((kind) => `${operation} made no ${kind}`)
    if (kinds.length > 0 && !eventKeys.has(`${at} ${target_id}`)) missing.push(`${operation} made no event about its object`)
    return missing
  })
  return [...new Set(lines)]
}
