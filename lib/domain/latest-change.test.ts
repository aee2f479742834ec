import { expect, test } from 'vitest'
import type { ActionView } from '@/lib/operations/answer'
import { findLatestChange } from './latest-change'

const firstReadTime = Date.parse('2026-03-31T10:00:00Z')
const createHistoryEntry = (changed_at: string, overrides: object = {}) => ({
  ...{ status: 'on_hold', reason: 'user_request', code: undefined },
  ...{ source: 'user_action', message: 'RISK_SIGNAL: a risk signal.', changed_at, ...overrides },
})
const createAction = (settled_at: string, overrides: Partial<ActionView> = {}) =>
  ({
    state: 'applied',
    own: false,
    actor: 'Omar Operator',
    reason: 'AUTH_PROOF_OK: checked.',
    settled_at,
    ...overrides,
  }) as ActionView

test('a change by an action in Paydesk returns its person, time and reason', () => {
  const latestChange = findLatestChange({
    history: [createHistoryEntry('2026-03-31T10:04:59Z')],
    actions: [createAction('2026-03-31T10:05:00Z')],
    since: firstReadTime,
  })
  expect(latestChange).toEqual({
    outside: false,
    by: 'Omar Operator',
    at: '2026-03-31T10:05:00Z',
    reason: 'AUTH_PROOF_OK: checked.',
  })
})

test('uses the newest applied action after the last read', () => {
  const actions = [
    createAction('2026-03-31T10:02:00Z', { actor: 'Ann' }),
    createAction('2026-03-31T10:06:00Z', { actor: 'Ben', own: true }),
    createAction('2026-03-31T10:07:00Z', { state: 'refused' }),
  ]
  expect(findLatestChange({ history: [], actions, since: firstReadTime })?.by).toBe('you')
  expect(
    findLatestChange({
      history: [createHistoryEntry('2026-03-31T09:00:00Z')],
      actions: [createAction('2026-03-31T09:59:59Z')],
      since: firstReadTime,
    }),
  ).toBeNull()
})

test('a change found only in the history returns its source', () => {
  const history = [
    createHistoryEntry('2026-03-31T10:20:00Z', {
      source: 'watchtower',
      message: 'Held for a look.',
    }),
  ]
  const outsideChange = {
    outside: true,
    by: 'the provider’s risk engine',
    at: '2026-03-31T10:20:00Z',
    reason: 'Held for a look.',
  }
  expect(findLatestChange({ history, actions: [], since: firstReadTime })).toEqual(outsideChange)
  expect(
    findLatestChange({
      history,
      actions: [createAction('2026-03-31T10:05:00Z')],
      since: firstReadTime,
    }),
  ).toEqual(outsideChange)
})

test('returns null without a matching entry', () => {
  expect(findLatestChange({ history: [], actions: [], since: firstReadTime })).toBeNull()
  expect(
    findLatestChange({ history: [createHistoryEntry('soon')], actions: [], since: firstReadTime }),
  ).toBeNull()
})
