import { expect, test } from 'vitest'
import { nextWidgetState, type WidgetEvent, type WidgetState } from './widget-state'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const run = (...events: WidgetEvent[]) => events.reduce<WidgetState>(nextWidgetState, { step: 'loading' })

test('a page that shows signs of life is open', () => {
  expect(run({ name: 'alive' }, { name: 'alive' })).toEqual({ step: 'open', note: null })
})

test('one that does not in time has failed, and a late sign does not hide it', () => {
  expect(run({ name: 'timeout' })).toMatchObject({ step: 'failed', why: 'timeout' })
  expect(run({ name: 'alive' }, { name: 'timeout' })).toMatchObject({ step: 'open' })
  expect(run({ name: 'timeout' }, { name: 'alive' })).toMatchObject({ step: 'failed' })
})

test.each([
  [401, 'expired'],
  [409, 'refused'],
  [null, 'refused'],
])('a refusal of %s before it opened: %s', (status, why) => {
  expect(run({ name: 'error', status, text: 'No.' })).toEqual({ step: 'failed', why, text: 'No.' })
})

test('a trouble on the way is a note, an ended token an end', () => {
  expect(run({ name: 'alive' }, { name: 'error', status: 422, text: 'Wrong digits' })).toEqual({
    step: 'open',
    note: 'The page says: Wrong digits.',
  })
  expect(run({ name: 'alive' }, { name: 'error', status: 401, text: null })).toMatchObject({ step: 'failed', why: 'expired' })
})

test('a linked paykey stays, whatever is said afterwards', () => {
  const linked: WidgetEvent[] = [{ name: 'alive' }, { name: 'linked', id }]
  expect(run(...linked)).toEqual({ step: 'linked', linked: id, left: false })
  expect(run(...linked, { name: 'error', status: 401, text: null }, { name: 'alive' })).toMatchObject({ linked: id })
  expect(run(...linked, { name: 'done' })).toEqual({ step: 'linked', linked: id, left: true })
  expect(run({ name: 'alive' }, { name: 'close' }, { name: 'linked', id })).toMatchObject({ linked: id })
})

test('another try after a refused account is told, and its paykey replaces the first', () => {
  const other = id.replace('018f', '018e')
  expect(run({ name: 'alive' }, { name: 'retry' })).toMatchObject({ note: expect.stringContaining('Another try') })
  expect(run({ name: 'alive' }, { name: 'linked', id: other }, { name: 'retry' }, { name: 'linked', id })).toMatchObject({ linked: id })
})

test('closing an open page closes it, closing a failed one leaves the reason', () => {
  expect(run({ name: 'alive' }, { name: 'close' })).toEqual({ step: 'closed' })
  expect(run({ name: 'timeout' }, { name: 'close' })).toMatchObject({ step: 'failed' })
})
