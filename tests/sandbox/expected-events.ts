import type { JournalRow } from '@/sandbox/http/journal'

const listCreationEventTypes = (resource: string) => [
  `${resource}.created.v1`,
  `${resource}.event.v1`,
]
const listChangeEventTypes = (resource: string) => [`${resource}.event.v1`]

/**
 * Expected event types of operations whose id does not show them. `listExpectedEventTypes` derives all
 * others from the operation id.
 */
const eventTypesByOperation: Readonly<Record<string, readonly string[]>> = {
  // Only the first resubmit also changes the original payment, so an event of the original is not
  // required.
  'charges.resubmit': listCreationEventTypes('charge'),
  'payouts.resubmit': listCreationEventTypes('payout'),
  'charges.refund': listCreationEventTypes('payout'),
  // A bridge token is no resource, so it has no event.
  'bridge.initialize': [],
  'bridge.bank_account': listCreationEventTypes('paykey'),
  'bridge.plaid': listCreationEventTypes('paykey'),
  'bridge.quiltt': listCreationEventTypes('paykey'),
  'bridge.tan': listCreationEventTypes('paykey'),
  'bridge.speedchex': listCreationEventTypes('paykey'),
  'bridge.page': listCreationEventTypes('paykey'),
  'funding_events.simulate': listCreationEventTypes('funding_event'),
  'accounts.onboard': [
    ...listChangeEventTypes('account'),
    ...listChangeEventTypes('representative'),
    ...listChangeEventTypes('linked_bank_account'),
  ],
  // The provider has no organization events.
  'organizations.create': [],
  'capability_requests.create_for_account': listCreationEventTypes('capability_request'),
}

/**
 * Returns the event types that a write must create at the time of its journal row (provider-facts
 * 4.7). There may be several events of one type, for several objects.
 */
export function listExpectedEventTypes(operationId: string): readonly string[] {
  const [resources = '', verb] = operationId.split('.')
  const resource = resources.replace(/s$/, '')
  return (
    eventTypesByOperation[operationId] ??
    (verb === 'create' ? listCreationEventTypes(resource) : listChangeEventTypes(resource))
  )
}

/** Fields of an event in the control plane that tests check. */
export type ListedEvent = { seq: number; type: string; object_id: string; at: string }

/**
 * Returns an error text for each event that is missing at the time of a journal row, without
 * duplicates.
 */
export function findMissingEvents(
  journalRows: readonly JournalRow[],
  events: readonly ListedEvent[],
): string[] {
  const eventKeys = new Set(
    events.flatMap(({ type, object_id, at }) => [`${at} ${type}`, `${at} ${object_id}`]),
  )
  const eventFaults = journalRows.flatMap(({ operation, target_id, at }) => {
    const eventTypes = listExpectedEventTypes(operation)
    const missingEventMessages = eventTypes
      .filter((kind) => !eventKeys.has(`${at} ${kind}`))
      .map((kind) => `${operation} made no ${kind}`)
    if (eventTypes.length > 0 && !eventKeys.has(`${at} ${target_id}`))
      missingEventMessages.push(`${operation} made no event about its object`)
    return missingEventMessages
  })
  return [...new Set(eventFaults)]
}
