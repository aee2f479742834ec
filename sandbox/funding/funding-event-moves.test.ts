import { expect, test } from 'vitest'
import { sandboxOutcomes } from '@/sandbox/payments/payment-outcomes'
import { buildFundingEvent } from './funding-event'
import { findNextFundingMove, fundingMachine } from './funding-event-moves'

const fundingDraft = {
  id: '',
  type: 'charge',
  sum: 1,
  count: 1,
  at: '',
  transfer_date: '',
  linked_bank_account_details: null,
} as const

const nextMoveCases = sandboxOutcomes.flatMap((sandbox_outcome) =>
  fundingMachine.states.map((status) => {
    const nextMove = findNextFundingMove({
      ...buildFundingEvent({ ...fundingDraft, config: { sandbox_outcome } }),
      status,
    })
    return { sandbox_outcome, status, move: nextMove?.move }
  }),
)

test('the clock makes only transitions that the table allows', () => {
  for (const { status, move } of nextMoveCases)
    if (move) expect(fundingMachine.moves[move].from).toContain(status)
})

test('each transition is reached by an outcome, and none leaves a final status', () => {
  expect(new Set(nextMoveCases.flatMap(({ move }) => move ?? []))).toEqual(
    new Set(Object.keys(fundingMachine.moves)),
  )
  const finalPaymentStatuses = ['failed', 'reversed', 'on_hold', 'cancelled']
  expect(
    nextMoveCases.filter(
      ({ status, move }) => move !== undefined && finalPaymentStatuses.includes(status),
    ),
  ).toEqual([])
})

test('an outcome forces no transition that the table does not allow', () => {
  const findNextMove = (outcome: string, from: string) =>
    nextMoveCases.find(
      ({ sandbox_outcome, status }) => sandbox_outcome === outcome && status === from,
    )?.move
  expect(findNextMove('reversed_not_authorized', 'pending')).toBe('settle')
  expect(findNextMove('reversed_not_authorized', 'paid')).toBe('reverse')
  expect(findNextMove('failed_not_authorized', 'created')).toBe('send')
  expect(findNextMove('on_hold_daily_limit', 'pending')).toBe('settle')
  expect(findNextMove('standard', 'paid')).toBeUndefined()
})
