import { expect, test } from 'vitest'
import type { ActionView } from '@/lib/operations/answer'
import { toProviderEntries } from './provider-history'
import { mergeTimeline } from './timeline'

const createHistoryEntry = (
  status: string,
  changed_at: string | undefined,
  overrides: object = {},
) => ({
  status,
  changed_at,
  message: undefined,
  reason: undefined,
  source: 'system',
  code: undefined,
  ...overrides,
})

const action: ActionView = {
  id: 'a1',
  operation: 'payouts.release',
  environment: 'sandbox',
  account: null,
  target: 'payouts/1',
  state: 'applied',
  actor: 'Dana',
  own: false,
  reason: 'AUTH_PROOF_OK: proof was checked.',
  warnings: [{ code: 'documents_warn', sentence: 'No proof is on file.' }],
  file: null,
  proof: null,
  idempotency_key: 'pdk_00000000000000000000000000000000',
  correlation_id: 'c',
  created_at: '2026-03-31T11:00:00Z',
  settled_at: null,
  next_check_at: null,
  effect_verified: null,
  replayed: true,
  error: null,
  decided: null,
  proposal: null,
  others_can_decide: null,
  expires_at: null,
  approval: null,
  evidence: [],
  attempts: [],
}

test('combines history and actions, newest first, each with its source', () => {
  const timelineEntries = mergeTimeline(
    toProviderEntries([
      createHistoryEntry('created', '2026-03-31T10:00:00Z'),
      createHistoryEntry('created', '2026-03-31T11:00:01Z'),
    ]),
    [action],
  )
  expect(timelineEntries.map((line) => [line.source, line.title])).toEqual([
    ['provider', 'Created'],
    ['paydesk', 'Release a payout: done, replayed'],
    ['provider', 'Created'],
  ])
  expect(timelineEntries[1]).toMatchObject({
    by: 'Dana',
    detail: 'Reason: Authorization proof checked: proof was checked.',
  })
})

test('shows a manual decision with its evidence', () => {
  const manualDecision = {
    outcome: 'applied' as const,
    by: 'Rhea',
    at: '2026-04-01T11:00:00Z',
    evidence: 'Ticket 4711 says so.',
  }
  const [line] = mergeTimeline([], [{ ...action, replayed: false, decided: manualDecision }])
  expect(line).toMatchObject({
    title: 'Release a payout: done, decided manually',
    detail: 'Rhea: Ticket 4711 says so.',
    tone: 'held',
  })
})

test('an entry without a time stays between its neighbors', () => {
  const orderedEntries = mergeTimeline(
    toProviderEntries([
      createHistoryEntry('created', '2026-03-31T10:00:00Z'),
      createHistoryEntry('scheduled', undefined),
      createHistoryEntry('pending', '2026-03-31T12:00:00Z'),
    ]),
    [],
  )
  expect(orderedEntries.map((line) => line.title)).toEqual(['Pending', 'Scheduled', 'Created'])
})

test('keeps repeated statuses and explains a return code', () => {
  const time = '2026-03-31T10:00:00Z'
  const mergedEntries = mergeTimeline(
    toProviderEntries([
      createHistoryEntry('pending', time),
      createHistoryEntry('pending', time),
      createHistoryEntry('failed', time, { code: 'R02', source: 'bank_decline' }),
    ]),
    [],
  )
  expect(mergedEntries).toHaveLength(3)
  expect(mergedEntries[0]).toMatchObject({ title: 'Failed — R02: Account closed', by: 'the bank' })
  expect(new Set(mergedEntries.map((line) => line.id)).size).toBe(3)
})

test('a hold requested at creation is not attributed to the risk engine', () => {
  const [line] = mergeTimeline(
    toProviderEntries([
      createHistoryEntry('on_hold', '2026-03-31T10:00:00Z', {
        reason: 'auto_hold',
        source: 'watchtower',
        message: 'Ask Ann',
      }),
    ]),
    [],
  )
  expect(line).toMatchObject({ by: 'its creator', detail: 'Ask Ann' })
})

test('an action shows the warnings that the person confirmed', () => {
  const [line] = mergeTimeline([], [action])
  expect(line?.confirmed).toEqual(['No proof is on file.'])
})

test('an upload shows who authorized the payment, when and how', () => {
  const proofFile = { name: 'proof.pdf', size: 10, sha256: '', copy: 'kept' } as const
  const proofDetails = {
    authorized_by: 'Ana Example',
    authorized_on: '2026-03-31',
    method: 'signed_agreement',
    note: 'Page 3',
  } as const
  const getUploadDetail = (actionOverrides: Partial<ActionView>) =>
    mergeTimeline(
      [],
      [
        {
          ...action,
          operation: 'payouts.authorize',
          reason: null,
          file: proofFile,
          ...actionOverrides,
        },
      ],
    )[0]?.detail
  expect(getUploadDetail({ proof: proofDetails })).toBe(
    'proof.pdf — Authorized by Ana Example on Mar 31, 2026 by signed agreement. Note: Page 3',
  )
  expect(getUploadDetail({ proof: 'unreadable' })).toContain('cannot be read')
  expect(getUploadDetail({})).toBe('proof.pdf')
})
