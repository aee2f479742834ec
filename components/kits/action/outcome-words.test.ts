import { describe, expect, test } from 'vitest'
import { type ErrorCode, errorKinds } from '@/lib/errors'
import type { ActionView } from '@/lib/operations/answer'
import {
  findOpenAction,
  isCertainRefusal,
  isOpenAction,
  type Outcome,
  replaceSettledAction,
} from './outcome'
import { toOutcomeWords } from './outcome-words'

const buildAction = (
  state: ActionView['state'],
  overrides: Partial<ActionView> = {},
): ActionView => ({
  id: 'a1',
  operation: 'payouts.release',
  environment: 'sandbox',
  account: null,
  target: 'payouts/1',
  state,
  actor: 'Dana',
  own: true,
  reason: null,
  warnings: [],
  file: null,
  proof: null,
  idempotency_key: 'pdk_00000000000000000000000000000000',
  correlation_id: 'c',
  created_at: '2026-03-31T11:00:00Z',
  settled_at: null,
  next_check_at: null,
  effect_verified: null,
  replayed: false,
  error: null,
  decided: null,
  proposal: null,
  others_can_decide: null,
  expires_at: null,
  approval: null,
  evidence: [],
  attempts: [],
  ...overrides,
})

const buildFailedOutcome = (code: ErrorCode, overrides: Partial<Outcome> = {}): Outcome => ({
  operation: 'payouts.release',
  error: { code, title: errorKinds[code].title, detail: 'why' },
  ...overrides,
})

const errorCodes = Object.keys(errorKinds) as ErrorCode[]

test.each(errorCodes)('%s has a title and a text, and never looks successful', (code) => {
  const outcomeWords = toOutcomeWords(buildFailedOutcome(code))
  expect(outcomeWords.title).not.toBe('')
  expect(outcomeWords.text).not.toBe('')
  expect(outcomeWords.tone).not.toBe('good')
})

test.each(errorCodes)('%s keeps its key only if the refusal is not definite', (code) => {
  const shouldKeepIdempotencyKey = ['check', 'resend', 'person', 'sign_in', 'start_over'].includes(
    toOutcomeWords(buildFailedOutcome(code)).next,
  )
  if (shouldKeepIdempotencyKey) expect(isCertainRefusal(code)).toBe(false)
})

test.each(['applied', 'refused'] as const)(
  'an outcome that a person decided as %s never looks like a service response',
  (outcome) => {
    const humanDecision = {
      outcome,
      by: 'Rhea',
      at: '2026-04-01T11:00:00Z',
      evidence: 'The provider said so in a ticket.',
    }
    const words = toOutcomeWords({
      operation: 'payouts.release',
      action: buildAction(outcome, { decided: humanDecision }),
    })
    expect(words).toMatchObject({
      tone: 'held',
      title: outcome === 'applied' ? 'Marked as carried out' : 'Marked as not carried out',
      next: 'none',
    })
    expect(words.text).toMatch(/^Rhea decided this .* The service did not confirm the outcome/)
  },
)

test('an applied action whose response was not stored cannot be sent again', () => {
  const outcome = buildFailedOutcome('answer_not_kept', { action: buildAction('applied') })
  expect(toOutcomeWords(outcome)).toMatchObject({
    tone: 'held',
    title: errorKinds.answer_not_kept.title,
    next: 'none',
  })
  expect(isCertainRefusal('answer_not_kept')).toBe(false)
})

test('a bank connection whose token was never read shows how to continue', () => {
  const operation = 'bridge.initialize' as const
  expect(
    toOutcomeWords({ operation, action: buildAction('applied', { operation }) }),
  ).toMatchObject({
    tone: 'held',
    title: expect.stringContaining('answer was lost'),
  })
})

describe('the outcome of an applied action', () => {
  const buildAppliedWords = (overrides: Partial<ActionView> = {}) =>
    toOutcomeWords({ operation: 'payouts.release', action: buildAction('applied', overrides) })
  test('names the action and its proof', () => {
    expect(buildAppliedWords({ effect_verified: true })).toMatchObject({
      tone: 'good',
      title: 'Released',
      next: 'none',
    })
    expect(buildAppliedWords({ effect_verified: true }).text).toBe(
      'Confirmed in the provider’s history.',
    )
    expect(buildAppliedWords().text).toBe('The payments service confirmed it.')
  })
  test('names the decision if the operation has several', () => {
    expect(
      toOutcomeWords({
        operation: 'paykeys.decide',
        action: buildAction('applied'),
        done: 'Approved',
      }).title,
    ).toBe('Approved')
  })
  test('states that a replayed action happened once', () => {
    expect(buildAppliedWords({ replayed: true }).text).toContain('The action happened once.')
  })
  test('is not shown as successful if the effect is not ours', () => {
    expect(buildAppliedWords({ effect_verified: false })).toMatchObject({
      tone: 'held',
      urgent: true,
    })
  })
})

describe('the state of an action takes precedence over its error', () => {
  test.each([
    ['sending', 'check'],
    ['unknown', 'check'],
    ['needs_human', 'person'],
  ] as const)('the state %s has the next step %s', (state, next) => {
    expect(
      toOutcomeWords(buildFailedOutcome('outcome_unknown', { action: buildAction(state) })).next,
    ).toBe(next)
    expect(isOpenAction(buildAction(state))).toBe(true)
  })
  test('an open action of another person does not hide that this request was not sent', () => {
    expect(
      toOutcomeWords(
        buildFailedOutcome('action_open', { action: buildAction('unknown', { own: false }) }),
      ),
    ).toMatchObject({
      next: 'edit',
    })
  })
  test('a late refusal shows its own error', () => {
    const refusalError = {
      ...buildFailedOutcome('service_refused').error,
      status: 422,
    } as ActionView['error']
    expect(
      toOutcomeWords({
        operation: 'payouts.release',
        action: buildAction('refused', { error: refusalError }),
      }),
    ).toMatchObject({
      tone: 'bad',
      next: 'edit',
    })
  })
})

test('a request without a response from Paydesk is sent again under the same key', () => {
  expect(
    toOutcomeWords(
      buildFailedOutcome('outcome_unknown', {
        error: { code: 'outcome_unknown', title: 't', detail: 'd', local: true },
      }),
    ).next,
  ).toBe('resend')
})

describe('combined with the action log', () => {
  const unknownOutcome: Outcome = buildFailedOutcome('outcome_unknown', {
    action: buildAction('unknown'),
  })

  test('an action settled elsewhere shows its final state', () => {
    expect(replaceSettledAction(unknownOutcome, [buildAction('applied')])).toMatchObject({
      action: { state: 'applied' },
    })
    expect(replaceSettledAction(unknownOutcome, [buildAction('applied')])?.error).toBeUndefined()
    expect(replaceSettledAction(unknownOutcome, [buildAction('unknown')])).toBe(unknownOutcome)
    expect(replaceSettledAction(null, [])).toBeNull()
  })
  test('the open action comes from the action log, or is the local one until the log is read', () => {
    expect(
      findOpenAction(null, [buildAction('applied'), buildAction('unknown', { id: 'a2' })])?.id,
    ).toBe('a2')
    expect(findOpenAction(unknownOutcome, [])?.id).toBe('a1')
    expect(findOpenAction(unknownOutcome, [buildAction('applied')])).toBeUndefined()
  })
})
