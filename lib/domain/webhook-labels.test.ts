import { expect, test } from 'vitest'
import { describeEventType } from './webhook-labels'

test.each([
  ['customer.event.v1', 'Customer changed'],
  ['customer.created.v1', 'Customer created'],
  ['linked_bank_account.event.v2', 'Linked bank account changed'],
  ['astonished.event.v1', null],
  ['customer.vanished.v1', null],
  ['constructor.event.v1', null],
  [null, null],
])('the event type %s reads as %s', (type, text) => {
  expect(describeEventType(type)).toBe(text)
})
