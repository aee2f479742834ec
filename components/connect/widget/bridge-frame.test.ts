import { describe, expect, test } from 'vitest'
import {
  readWidgetMessage,
  reduceWidgetEvent,
  type WidgetEvent,
  type WidgetState,
} from './bridge-frame'

const paykeyId = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const toMessageType = (name: string) => `@provider/js-bridge/${name}`

describe('messages of the hosted page', () => {
  test.each([
    ['mounted', 'alive'],
    ['initialized', 'alive'],
    ['on-close', 'close'],
    ['on-success-cta-clicked', 'done'],
    ['on-retry', 'retry'],
    ['on-manual-entry', 'manual'],
  ])('%s maps to %s', (name, said) => {
    expect(readWidgetMessage({ type: toMessageType(name) })).toEqual({ name: said })
  })
  test.each(['on-paykey', 'on-success'])('%s yields the paykey ID and no other data', (name) => {
    const paykeyData = {
      id: paykeyId.toUpperCase(),
      paykey: 'aaaaaaaa.02.secret',
      status: 'active',
    }
    const message = readWidgetMessage({
      type: toMessageType(name),
      payload: { meta: {}, data: paykeyData },
    })
    expect(message).toEqual({ name: 'linked', id: paykeyId })
    expect(JSON.stringify(message)).not.toContain('secret')
  })
  test('an error keeps its status, and its text is cut to 300 characters', () => {
    const message = readWidgetMessage({
      type: toMessageType('error'),
      payload: { status: 401, message: 'x'.repeat(5000) },
    })
    expect(message).toEqual({ name: 'error', status: 401, text: 'x'.repeat(300) })
    expect(readWidgetMessage({ type: toMessageType('error') })).toEqual({
      name: 'error',
      status: null,
      text: null,
    })
    expect(
      readWidgetMessage({ type: toMessageType('error'), payload: { status: '401', message: {} } }),
    ).toEqual({
      name: 'error',
      status: null,
      text: null,
    })
  })
})

const hostileMessages: readonly unknown[] = [
  null,
  undefined,
  0,
  'on-success',
  [],
  {},
  () => undefined,
  { type: 'on-success', payload: { data: { id: paykeyId } } },
  { type: toMessageType('') },
  { type: toMessageType('constructor') },
  { type: toMessageType('__proto__') },
  { type: toMessageType('toString') },
  { type: toMessageType('token'), payload: { token: 'x' } },
  { type: `x${toMessageType('on-success')}`, payload: { data: { id: paykeyId } } },
  { type: toMessageType('on-success') },
  { type: toMessageType('on-success'), payload: null },
  { type: toMessageType('on-success'), payload: [{ data: { id: paykeyId } }] },
  { type: toMessageType('on-success'), payload: { data: [paykeyId] } },
  { type: toMessageType('on-success'), payload: { data: { id: `${paykeyId}/../../accounts` } } },
  { type: toMessageType('on-success'), payload: { data: { id: { toString: () => paykeyId } } } },
  { type: toMessageType('on-success'), payload: Object.create({ data: { id: paykeyId } }) },
  { type: [toMessageType('on-success')], payload: { data: { id: paykeyId } } },
]

test.each(hostileMessages.map((data, at) => [at, data] as const))(
  'ignores hostile message %i',
  (_, data) => {
    expect(readWidgetMessage(data)).toBeNull()
  },
)

const reduceEvents = (...events: WidgetEvent[]) =>
  events.reduce<WidgetState>(reduceWidgetEvent, { step: 'loading' })

test('the widget is open after a first message from the page', () => {
  expect(reduceEvents({ name: 'alive' }, { name: 'alive' })).toEqual({ step: 'open', note: null })
})

test('a timeout fails a loading page permanently, and does not affect an open one', () => {
  expect(reduceEvents({ name: 'timeout' })).toMatchObject({ step: 'failed', why: 'timeout' })
  expect(reduceEvents({ name: 'alive' }, { name: 'timeout' })).toMatchObject({ step: 'open' })
  expect(reduceEvents({ name: 'timeout' }, { name: 'alive' })).toMatchObject({ step: 'failed' })
})

test.each([
  [401, 'expired'],
  [409, 'refused'],
  [null, 'refused'],
])('an error %s before the page opened fails the widget: %s', (status, why) => {
  expect(reduceEvents({ name: 'error', status, text: 'No.' })).toEqual({
    step: 'failed',
    why,
    text: 'No.',
  })
})

test('an error in an open page becomes a note, and an expired token fails the widget', () => {
  expect(
    reduceEvents({ name: 'alive' }, { name: 'error', status: 422, text: 'Wrong digits' }),
  ).toEqual({
    step: 'open',
    note: 'The page says: Wrong digits.',
  })
  expect(reduceEvents({ name: 'alive' }, { name: 'error', status: 401, text: null })).toMatchObject(
    { step: 'failed', why: 'expired' },
  )
})

test('a linked paykey stays linked despite later messages or an earlier close', () => {
  const linkedEvents: WidgetEvent[] = [{ name: 'alive' }, { name: 'linked', id: paykeyId }]
  expect(reduceEvents(...linkedEvents)).toEqual({ step: 'linked', linked: paykeyId, left: false })
  expect(
    reduceEvents(...linkedEvents, { name: 'error', status: 401, text: null }, { name: 'alive' }),
  ).toMatchObject({ linked: paykeyId })
  expect(reduceEvents(...linkedEvents, { name: 'done' })).toEqual({
    step: 'linked',
    linked: paykeyId,
    left: true,
  })
  expect(reduceEvents(...linkedEvents, { name: 'done' }, ...linkedEvents)).toEqual({
    step: 'linked',
    linked: paykeyId,
    left: true,
  })
  expect(
    reduceEvents({ name: 'alive' }, { name: 'close' }, { name: 'linked', id: paykeyId }),
  ).toMatchObject({ linked: paykeyId })
})

test('another attempt after a rejected account shows a note, and its paykey replaces the first', () => {
  const otherPaykeyId = paykeyId.replace('018f', '018e')
  expect(reduceEvents({ name: 'alive' }, { name: 'retry' })).toMatchObject({
    note: expect.stringContaining('Another attempt'),
  })
  expect(
    reduceEvents(
      { name: 'alive' },
      { name: 'linked', id: otherPaykeyId },
      { name: 'retry' },
      { name: 'linked', id: paykeyId },
    ),
  ).toMatchObject({
    linked: paykeyId,
  })
})

test('close closes an open page, and a failed page keeps its reason', () => {
  expect(reduceEvents({ name: 'alive' }, { name: 'close' })).toEqual({ step: 'closed' })
  expect(reduceEvents({ name: 'timeout' }, { name: 'close' })).toMatchObject({ step: 'failed' })
})
