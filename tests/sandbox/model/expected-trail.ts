import { expect } from 'vitest'
import type { ModelSubject, ServiceObject } from './subject'

type StoredEvent = { type: string; payload: { data: ServiceObject } }

/** Expected journal rows and events of one object. Any other row or event is an error. */
export class ExpectedJournalAndEvents {
  readonly #effects: unknown[]
  readonly #told: string[]

  /**
   * Starts with the creation of the object: `effect` is its expected journal row. A creation has
   * two events, both with `status`.
   */
  constructor(effect: unknown, status: string) {
    this.#effects = [effect]
    this.#told = [status, status]
  }

  /** Adds the next expected journal row. */
  effect(effect: unknown): void {
    this.#effects.push(effect)
  }

  /** Adds the status of the next expected event. */
  event(status: string): void {
    this.#told.push(status)
  }

  /**
   * Checks that the journal has exactly the expected rows, and that the events have the expected
   * statuses and are in order of time. `isOther` selects events to skip, because their change is
   * outside the state machine. `whole` is the object as last read.
   */
  async check(
    { client, resource }: ModelSubject,
    whole: ServiceObject,
    isOther: (before: ServiceObject, after: ServiceObject) => boolean = () => false,
  ): Promise<void> {
    const journalRows = await client.effects(whole.id)
    const comparedRows = journalRows.map(({ operation, from, to, idempotency_key }) => ({
      operation,
      from,
      to,
      idempotency_key,
    }))
    expect(comparedRows).toEqual(this.#effects)
    const { data: events } = await client.control<{ data: StoredEvent[] }>(
      `events?object_id=${whole.id}`,
    )
    const eventObjects = events.map(({ payload }) => payload.data)
    const trackedObjects = eventObjects.filter(
      (data, place) => place === 0 || !isOther(eventObjects[place - 1] ?? data, data),
    )
    expect(trackedObjects.map(({ status }) => status)).toEqual(this.#told)
    expect(events.map(({ type }) => type)).toEqual(
      eventObjects.map((_, place) => `${resource}.${place === 0 ? 'created' : 'event'}.v1`),
    )
    const updateTimes = eventObjects.map(({ updated_at }) => updated_at)
    expect(updateTimes).toEqual(updateTimes.toSorted())
    expect(updateTimes.at(-1)).toBe(whole.updated_at)
  }
}
