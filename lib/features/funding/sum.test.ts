import { describe, expect, test } from 'vitest'
import { assessFunding, type FundingLine, getFlowSign, sumFundingLines } from './sum'

const centsFormat = { unit: 'minor', sign: 1 } as const

let createdLineCount = 0
const createFundingLine = (
  funding_amount: string,
  overrides: Partial<FundingLine> = {},
): FundingLine => {
  createdLineCount += 1
  return {
    id: `payment-${createdLineCount}`,
    funding_amount,
    reason: 'credit',
    status: 'paid',
    ...overrides,
  }
}

const createDeposit = (amount: string, payment_count?: number) => ({
  amount,
  payment_count,
  status: 'paid',
})

const assessDeposit = (
  lines: readonly FundingLine[],
  event: ReturnType<typeof createDeposit>,
  total: number | null = lines.length,
) =>
  assessFunding(sumFundingLines(lines, total, centsFormat), event, {
    complete: true,
    ...centsFormat,
  })

describe('the sum of the lines', () => {
  test('subtracts reversals, and failed lines of zero do not change it', () => {
    const fundingLines = [
      createFundingLine('1000'),
      createFundingLine('2500'),
      createFundingLine('-700', { reason: 'reversal', status: 'reversed' }),
      createFundingLine('0', { reason: 'failed', status: 'failed' }),
    ]
    const sum = sumFundingLines(fundingLines, 4, centsFormat)
    expect(sum.sum).toBe(2800)
    expect(sum.running).toEqual([1000, 3500, 2800, 2800])
    expect(sum.reasons).toEqual([
      { reason: 'credit', count: 2, sum: 3500 },
      { reason: 'reversal', count: 1, sum: -700 },
      { reason: 'failed', count: 1, sum: 0 },
    ])
    expect(sum.failed.count).toBe(0)
  })

  test('omits unreadable amounts and counts them', () => {
    const sum = sumFundingLines(
      [createFundingLine('1000'), createFundingLine('ten'), createFundingLine('100.00')],
      3,
      centsFormat,
    )
    expect(sum).toMatchObject({ sum: 1000, read: 3, unreadable: 2, running: [1000, null, null] })
    expect(sumFundingLines([createFundingLine('10.05')], 1, { unit: 'major', sign: 1 }).sum).toBe(
      1005,
    )
  })

  test('accepts a payment with two reasons, and counts a repeat only for the same reason', () => {
    const creditAndReversal = [
      createFundingLine('500', { id: 'a' }),
      createFundingLine('-500', { id: 'a', reason: 'reversal' }),
    ]
    expect(sumFundingLines(creditAndReversal, 2, centsFormat).repeated).toBe(0)
    expect(
      sumFundingLines([...creditAndReversal, createFundingLine('500', { id: 'a' })], 3, centsFormat)
        .repeated,
    ).toBe(1)
  })

  test('has a subtotal for lines without a reason', () => {
    expect(
      sumFundingLines([createFundingLine('5', { reason: undefined })], 1, centsFormat).reasons,
    ).toEqual([{ reason: 'none', count: 1, sum: 5 }])
  })

  test('adds hundreds of lines in whole cents', () => {
    const lines = Array.from({ length: 807 }, () => createFundingLine('1010'))
    expect(sumFundingLines(lines, 807, centsFormat).sum).toBe(815_070)
  })
})

describe('the verdict', () => {
  test('matches to the cent', () => {
    const verdict = assessDeposit(
      [createFundingLine('1000'), createFundingLine('-1', { reason: 'reversal' })],
      createDeposit('999', 2),
    )
    expect(verdict).toEqual({
      tone: 'good',
      fits: true,
      line: '2 lines add up to exactly $9.99, the amount of this event.',
      why: [],
    })
    expect(assessDeposit([createFundingLine('1000')], createDeposit('1000')).line).toBe(
      '1 line adds up to exactly $10.00, the amount of this event.',
    )
  })

  test('matches an event with a negative amount', () => {
    expect(
      assessDeposit([createFundingLine('-1000', { reason: 'reversal' })], createDeposit('-1000')),
    ).toMatchObject({ fits: true })
  })

  test('reports a difference of one cent', () => {
    const verdict = assessDeposit([createFundingLine('1000')], createDeposit('1001', 1))
    expect(verdict).toMatchObject({ tone: 'bad', fits: false, why: [] })
    expect(verdict.line).toBe(
      'They differ by −$0.01. 1 line adds up to $10.00; the event says $10.01.',
    )
  })

  test('is open while lines are loading', () => {
    const sum = sumFundingLines([createFundingLine('1000')], 807, centsFormat)
    const verdict = assessFunding(sum, createDeposit('1000'), { complete: false, ...centsFormat })
    expect(verdict).toEqual({
      tone: 'moving',
      fits: null,
      line: 'Loading: 1 of 807 lines.',
      why: [],
    })
    const firstVerdict = assessFunding(
      sumFundingLines([], null, centsFormat),
      createDeposit('1000'),
      { complete: false, ...centsFormat },
    )
    expect(firstVerdict.line).toBe('Loading lines…')
  })

  test('is open if lines were not read, even if the sum matches', () => {
    const verdict = assessDeposit([createFundingLine('1000')], createDeposit('1000', 3), 3)
    expect(verdict).toMatchObject({ tone: 'held', fits: null })
    expect(verdict.why).toContain('2 lines of 3 could not be read and are not in the sum.')
  })

  test('is open if an amount is unreadable', () => {
    const verdict = assessDeposit(
      [createFundingLine('1000'), createFundingLine('many')],
      createDeposit('1000'),
    )
    expect(verdict).toMatchObject({ tone: 'held', fits: null })
    expect(verdict.why).toEqual(['The amount of 1 line cannot be read, so it is not in the sum.'])
    const unreadableEventVerdict = assessDeposit(
      [createFundingLine('1000')],
      createDeposit('10.00'),
    )
    expect(unreadableEventVerdict).toMatchObject({ tone: 'held', fits: null })
    expect(unreadableEventVerdict.line).toContain('“10.00”, cannot be read')
  })

  test('names pending credits that equal the difference', () => {
    const lines = [createFundingLine('1000'), createFundingLine('300', { status: 'pending' })]
    expect(assessDeposit(lines, createDeposit('1000')).why).toEqual([
      '1 line, $3.00 together, is of payments that are still pending and may be listed before they count, which is exactly the difference.',
    ])
    expect(assessDeposit(lines, createDeposit('1100')).why[0]).not.toContain('exactly')
  })

  test('names failed lines with an amount, a wrong count, an opposite sign and repeats', () => {
    const linesWithFailure = [
      createFundingLine('1000'),
      createFundingLine('-200', { reason: 'failed', status: 'failed' }),
    ]
    expect(assessDeposit(linesWithFailure, createDeposit('1000', 5)).why).toEqual([
      '1 line, −$2.00 together, is of payments that failed, which is exactly the difference.',
      'The event speaks of 5 payments, the service lists 2 lines.',
    ])
    expect(assessDeposit([createFundingLine('-1000')], createDeposit('1000')).why[0]).toContain(
      'opposite sign',
    )
    const repeatedLine = createFundingLine('1000')
    expect(assessDeposit([repeatedLine, repeatedLine], createDeposit('1000')).why[0]).toBe(
      '1 line listed twice: same payment, same reason.',
    )
  })

  test('does not explain a difference by failed payouts that return their money', () => {
    const lines = [
      createFundingLine('1000', { reason: 'debit' }),
      createFundingLine('-200', { reason: 'failed', status: 'failed' }),
    ]
    expect(assessDeposit(lines, createDeposit('801'))).toMatchObject({ fits: false, why: [] })
  })

  test('mentions that an unsent event may still get lines', () => {
    expect(
      assessDeposit([createFundingLine('1000')], { ...createDeposit('1500'), status: 'created' })
        .why,
    ).toEqual(['The event is not sent yet: lines may still be added.'])
  })
})

describe('amounts from the linked bank account’s view', () => {
  test.each([
    ['charge_deposit', { direction: 'deposit', amount: '5000' }, 50],
    ['charge_reversal', { direction: 'withdrawal', amount: '-5000' }, -50],
    ['payout_withdrawal', { direction: 'withdrawal', amount: '5000' }, -50],
    ['payout_return', { direction: 'deposit', amount: '-5000' }, 50],
  ])('%s is positive if money comes in and negative if it goes out', (_, event, dollars) => {
    expect((Number(event.amount) * getFlowSign(event, 'minor')) / 100).toBe(dollars)
  })

  test('an unclear direction keeps the sign', () => {
    expect(getFlowSign({ direction: 'sideways', amount: '-5000' }, 'minor')).toBe(1)
    expect(getFlowSign({ direction: 'constructor', amount: '-5000' }, 'minor')).toBe(1)
    expect(getFlowSign({ direction: 'withdrawal', amount: 'many' }, 'minor')).toBe(1)
    expect(getFlowSign({ direction: 'withdrawal', amount: '0' }, 'minor')).toBe(1)
  })

  test('the lines of an event change their sign with it and still add up', () => {
    const fundingEvent = {
      direction: 'withdrawal',
      amount: '800',
      payment_count: 2,
      status: 'paid',
    }
    const lines = [
      createFundingLine('1000', { reason: 'debit' }),
      createFundingLine('-200', { reason: 'failed', status: 'failed' }),
    ]
    const amountFormat = { unit: 'minor', sign: getFlowSign(fundingEvent, 'minor') } as const
    const sum = sumFundingLines(lines, 2, amountFormat)
    expect(sum.running).toEqual([-1000, -800])
    expect(assessFunding(sum, fundingEvent, { complete: true, ...amountFormat })).toMatchObject({
      fits: true,
      line: '2 lines add up to exactly −$8.00, the amount of this event.',
    })
  })
})
