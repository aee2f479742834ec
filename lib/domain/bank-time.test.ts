import { describe, expect, test } from 'vitest'
import { bankingDayFrom, cutOffs, dayAfter, dueBy, isBankingDay, newYorkTime, nextCutOff } from './bank-time'
import { bankHolidays } from './bank-time-holidays'

const iso = (time: number) => new Date(time).toISOString()
const at = (text: string) => Date.parse(text)

describe('bank holidays', () => {
  // As the Federal Reserve publishes them.
  test.each([
    [2026, '01-01 01-19 02-16 05-25 06-19 07-04 09-07 10-12 11-11 11-26 12-25'],
    [2027, '01-01 01-18 02-15 05-31 06-19 07-05 09-06 10-11 11-11 11-25 12-25'],
    [2028, '01-01 01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-11 11-23 12-25'],
  ])('of %d', (year, dates) => {
    expect(bankHolidays(year).map(({ date }) => date)).toEqual(dates.split(' ').map((date) => `${year}-${date}`))
  })
  test('one on a Saturday closes no Friday, one on a Sunday closes the Monday', () => {
    expect(isBankingDay('2026-07-03')).toBe(true)
    expect(isBankingDay('2027-07-05')).toBe(false)
    expect(isBankingDay('2021-12-31')).toBe(true)
    expect(isBankingDay('2023-01-02')).toBe(false)
  })
  test('weekends are no banking days, and the next one may be past a holiday', () => {
    expect(isBankingDay('2026-11-21')).toBe(false)
    expect(bankingDayFrom('2026-11-21')).toBe('2026-11-23')
    expect(bankingDayFrom('2026-11-26')).toBe('2026-11-27')
    expect(bankingDayFrom('2027-12-31')).toBe('2027-12-31')
    expect(bankingDayFrom('2026-05-23')).toBe('2026-05-26')
  })
})

describe('the clock of New York', () => {
  test.each([
    ['2026-01-15', '19:00', '2026-01-16T00:00:00.000Z'],
    ['2026-07-15', '19:00', '2026-07-15T23:00:00.000Z'],
    // The clocks go forward at 2:00 on 8 March and back at 2:00 on 1 November.
    ['2026-03-08', '00:00', '2026-03-08T05:00:00.000Z'],
    ['2026-03-08', '10:30', '2026-03-08T14:30:00.000Z'],
    ['2026-03-09', '00:00', '2026-03-09T04:00:00.000Z'],
    ['2026-11-01', '00:00', '2026-11-01T04:00:00.000Z'],
    ['2026-11-01', '10:30', '2026-11-01T15:30:00.000Z'],
    ['2026-11-02', '00:00', '2026-11-02T05:00:00.000Z'],
  ])('%s %s', (date, clock, expected) => expect(iso(newYorkTime(date, clock))).toBe(expected))

  test('a day of 23 hours and one of 25', () => {
    const length = (date: string) => (newYorkTime(dayAfter(date, 1), '00:00') - newYorkTime(date, '00:00')) / 3_600_000
    expect([length('2026-03-07'), length('2026-03-08'), length('2026-11-01')]).toEqual([24, 23, 25])
  })
})

describe('the next cut-off', () => {
  test('the table is in the order of the day', () => {
    expect(cutOffs.map((cutOff) => cutOff.at)).toEqual(cutOffs.map((cutOff) => cutOff.at).toSorted())
  })
  test.each([
    ['2026-11-20T15:29:59Z', 'same_day_first', '2026-11-20T15:30:00.000Z'],
    ['2026-11-20T15:30:00Z', 'same_day_second', '2026-11-20T19:45:00.000Z'],
    ['2026-11-20T21:45:00Z', 'proof', '2026-11-21T00:00:00.000Z'],
    // Friday 19:00 has passed: over the weekend to Monday.
    ['2026-11-21T00:00:00Z', 'same_day_first', '2026-11-23T15:30:00.000Z'],
    ['2026-11-22T03:00:00Z', 'same_day_first', '2026-11-23T15:30:00.000Z'],
    // Wednesday evening before Thanksgiving.
    ['2026-11-26T01:00:00Z', 'same_day_first', '2026-11-27T15:30:00.000Z'],
    // The weekend on which the clocks go forward: Monday is an hour earlier in UTC than Friday was.
    ['2026-03-07T12:00:00Z', 'same_day_first', '2026-03-09T14:30:00.000Z'],
  ])('after %s is %s', (now, id, expected) => expect(nextCutOff(at(now))).toMatchObject({ id, at: expected }))
})

describe('when a held payment is due', () => {
  test('by the proof cut-off of its date', () => {
    expect(dueBy('2026-11-20', at('2026-11-20T20:00:00Z'))).toEqual({ at: '2026-11-21T00:00:00.000Z', missed: false })
  })
  test('of the next banking day where its date is none', () => {
    expect(dueBy('2026-11-21', at('2026-11-21T12:00:00Z'))).toEqual({ at: '2026-11-24T00:00:00.000Z', missed: false })
    expect(dueBy('2026-11-26', at('2026-11-20T12:00:00Z'))).toEqual({ at: '2026-11-28T00:00:00.000Z', missed: false })
  })
  test('missed, it waits for the next there is', () => {
    expect(dueBy('2026-11-18', at('2026-11-20T12:00:00Z'))).toEqual({ at: '2026-11-21T00:00:00.000Z', missed: true })
    expect(dueBy('2026-11-20', at('2026-11-21T00:00:00Z'))).toEqual({ at: '2026-11-24T00:00:00.000Z', missed: true })
  })
})
