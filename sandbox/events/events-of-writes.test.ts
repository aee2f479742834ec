import { expect, test } from 'vitest'
import { operations } from '@/sandbox/operations'
import { findMissingEvents, listExpectedEventTypes } from '@/tests/sandbox/expected-events'
import { eventResources } from './event-store'

test('every write sends only existing event types', () => {
  const eventTypes = eventResources.flatMap((resource) => [
    `${resource}.created.v1`,
    `${resource}.event.v1`,
  ])
  const writeOperationIds = operations.filter(({ method }) => method !== 'GET').map(({ id }) => id)
  expect(
    writeOperationIds.flatMap(listExpectedEventTypes).filter((kind) => !eventTypes.includes(kind)),
  ).toEqual([])
})

test('finds an effect without its event, and accepts one with it', () => {
  const eventTime = '2030-01-31T12:00:00.000Z'
  const sharedJournalFields = {
    seq: 1,
    account_id: 'a',
    idempotency_key: null,
    request_body_sha256: null,
    file_sha256: null,
    from: '',
    to: 'created',
  }
  const onboardEffect = {
    ...sharedJournalFields,
    at: eventTime,
    operation: 'accounts.onboard',
    target_id: 'a',
  }
  const createEventRow = (type: string, object_id: string, moment = eventTime) => ({
    seq: 1,
    type,
    object_id,
    at: moment,
  })
  const allEvents = [
    createEventRow('account.event.v1', 'a'),
    createEventRow('representative.event.v1', 'r'),
    createEventRow('linked_bank_account.event.v1', 'l'),
  ]
  expect(findMissingEvents([onboardEffect, onboardEffect], allEvents)).toEqual([])
  expect(findMissingEvents([onboardEffect, onboardEffect], allEvents.slice(0, 2))).toEqual([
    'accounts.onboard made no linked_bank_account.event.v1',
  ])
  expect(findMissingEvents([{ ...onboardEffect, target_id: 'b' }], allEvents)).toEqual([
    'accounts.onboard made no event about its object',
  ])
  const lateEvents = allEvents.map(({ type, object_id }) =>
    createEventRow(type, object_id, '2030-01-31T12:00:01.000Z'),
  )
  expect(findMissingEvents([onboardEffect], lateEvents)).toHaveLength(4)
})
