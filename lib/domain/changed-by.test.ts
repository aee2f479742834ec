import { expect, test } from 'vitest'
import type { ActionView } from '@/lib/operations/answer'
import { changedBy } from './changed-by'

const since = Date.parse('2026-03-31T10:00:00Z')
const entry = (changed_at: string, more: object = {}) => ({
  ...{ status: 'on_hold', reason: 'user_request', code: undefined },
  ...{ source: 'user_action', message: 'RISK_SIGNAL: a risk signal.', changed_at, ...more },
})
const action = (settled_at: string, more: Partial<ActionView> = {}) =>
  ({ state: 'applied', own: false, actor: 'Omar Operator', reason: 'AUTH_PROOF_OK: checked.', settled_at, ...more }) as ActionView

test('what was done in Paydesk names the person, the time and the reason', () => {
  const found = changedBy({ history: [entry('2026-03-31T10:04:59Z')], actions: [action('2026-03-31T10:05:00Z')], since })
  expect(found).toEqual({ outside: false, by: 'Omar Operator', at: '2026-03-31T10:05:00Z', reason: 'AUTH_PROOF_OK: checked.' })
})

test('the newest of them counts; one that was refused, or is older than the reading, does not', () => {
  const actions = [
    action('2026-03-31T10:02:00Z', { actor: 'Ann' }),
    action('2026-03-31T10:06:00Z', { actor: 'Ben', own: true }),
    action('2026-03-31T10:07:00Z', { state: 'refused' }),
  ]
  expect(changedBy({ history: [], actions, since })?.by).toBe('you')
  expect(changedBy({ history: [entry('2026-03-31T09:00:00Z')], actions: [action('2026-03-31T09:59:59Z')], since })).toBeNull()
})

test('what is only in the history was done elsewhere, by its source', () => {
  const history = [entry('2026-03-31T10:20:00Z', { source: 'watchtower', message: 'Held for a look.' })]
  const outside = { outside: true, by: 'the provider’s risk engine', at: '2026-03-31T10:20:00Z', reason: 'Held for a look.' }
  expect(changedBy({ history, actions: [], since })).toEqual(outside)
  expect(changedBy({ history, actions: [action('2026-03-31T10:05:00Z')], since })).toEqual(outside)
})

test('where nothing says who it was, nobody is named', () => {
  expect(changedBy({ history: [], actions: [], since })).toBeNull()
  expect(changedBy({ history: [entry('soon')], actions: [], since })).toBeNull()
})
