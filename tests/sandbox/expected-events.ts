import type { JournalRow } from '@/sandbox/http/journal'

const listCreationEvents = (resource: string) => [`${resource}.created.v1`, `${resource}.event.v1`]
const toChangedEvent = (resource: string) => [`${resource}.event.v1`]

/** Events of writes whose id does not determine them. */
const eventExceptions: Readonly<Record<string, readonly string[]>> = {
  // The first resubmit also changes the original payment. A second one does not.
  'charges.resubmit': listCreationEvents('charge'),
  'payouts.resubmit': listCreationEvents('payout'),
  'charges.refund': listCreationEvents('payout'),
  // A bridge token is no resource, so it has no event.
  'bridge.initialize': [],
  'bridge.bank_account': listCreationEvents('paykey'),
  'bridge.plaid': listCreationEvents('paykey'),
  'bridge.quiltt': listCreationEvents('paykey'),
  'bridge.tan': listCreationEvents('paykey'),
  'bridge.speedchex': listCreationEvents('paykey'),
  'bridge.page': listCreationEvents('paykey'),
  'funding_events.simulate': listCreationEvents('funding_event'),
  'accounts.onboard': [...toChangedEvent('account'), ...toChangedEvent('representative'), ...toChangedEvent('linked_bank_account')],
  // The provider has no organization events.
  'organizations.create': [],
  'capability_requests.create_for_account': listCreationEvents('capability_request'),
}

/**
 * Returns the event types that a write must create at the time of its journal row (provider-facts 4.7). There may be several events of one
 * type, for several objects.
 */
export function listExpectedEvents(id: string): readonly string[] {
  const [resources = '', verb] = id.split('.')
  const resource = resources.replace(/s$/, '')
  return eventExceptions[id] ?? (verb === 'create' ? listCreationEvents(resource) : toChangedEvent(resource))
}

/** Fields of an event in the control plane that tests check. */
export type ListedEvent = { seq: number; type: string; object_id: string; at: string }

/** Returns an error text for each event that is missing at the time of a journal row, without duplicates. */
export function findMissingEvents(effects: readonly JournalRow[], events: readonly ListedEvent[]): string[] {
  const eventKeys = new Set(events.flatMap(({ type, object_id, at }) => [`${at} ${type}`, `${at} ${object_id}`]))
  const lines = effects.flatMap(({ operation, target_id, at }) => {
    const kinds = listExpectedEvents(operation)
    const missingKindMessages = kinds.filter((kind) => !eventKeys.has(`${at} ${kind}`)).map((kind) => `${operation} made no ${kind}`)
    if (kinds.length > 0 && !eventKeys.has(`${at} ${target_id}`)) missingKindMessages.push(`${operation} made no event about its object`)
    return missingKindMessages
  })
  return [...new Set(lines)]
}
