import { describe, expect, test } from 'vitest'
import { readWidgetMessage } from './widget-message'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const type = (name: string) => `@provider/js-bridge/${name}`

describe('what the page says', () => {
  test.each([
    ['mounted', 'alive'],
    ['initialized', 'alive'],
    ['on-close', 'close'],
    ['on-success-cta-clicked', 'done'],
    ['on-retry', 'retry'],
    ['on-manual-entry', 'manual'],
  ])('%s is %s', (name, said) => {
    expect(readWidgetMessage({ type: type(name) })).toEqual({ name: said })
  })
  test.each(['on-paykey', 'on-success'])('%s names a paykey and nothing else of it', (name) => {
    const data = { id: id.toUpperCase(), paykey: 'aaaaaaaa.02.secret', status: 'active' }
    const message = readWidgetMessage({ type: type(name), payload: { meta: {}, data } })
    expect(message).toEqual({ name: 'linked', id })
    expect(JSON.stringify(message)).not.toContain('secret')
  })
  test('an error keeps its number and a bounded text', () => {
    const message = readWidgetMessage({ type: type('error'), payload: { status: 401, message: 'x'.repeat(5000) } })
    expect(message).toEqual({ name: 'error', status: 401, text: 'x'.repeat(300) })
    expect(readWidgetMessage({ type: type('error') })).toEqual({ name: 'error', status: null, text: null })
    expect(readWidgetMessage({ type: type('error'), payload: { status: '401', message: {} } })).toEqual({
      name: 'error',
      status: null,
      text: null,
    })
  })
})

const hostile: readonly unknown[] = [
  null,
  undefined,
  0,
  'on-success',
  [],
  {},
  () => undefined,
  { type: 'on-success', payload: { data: { id } } },
  { type: type('') },
  { type: type('constructor') },
  { type: type('__proto__') },
  { type: type('toString') },
  { type: type('token'), payload: { token: 'x' } },
  { type: `x${type('on-success')}`, payload: { data: { id } } },
  { type: type('on-success') },
  { type: type('on-success'), payload: null },
  { type: type('on-success'), payload: [{ data: { id } }] },
  { type: type('on-success'), payload: { data: [id] } },
  { type: type('on-success'), payload: { data: { id: `${id}/../../accounts` } } },
  { type: type('on-success'), payload: { data: { id: { toString: () => id } } } },
  { type: type('on-success'), payload: Object.create({ data: { id } }) },
  { type: [type('on-success')], payload: { data: { id } } },
]

test.each(hostile.map((data, at) => [at, data] as const))('hostile message %i is ignored', (_, data) => {
  expect(readWidgetMessage(data)).toBeNull()
})
