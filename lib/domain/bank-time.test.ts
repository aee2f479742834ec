import { describe, expect, test } from 'vitest'
import {
  addDays,
  cutOffs,
  findBankHoliday,
  findNextCutOff,
  formatClockTime,
  formatDeparture,
  formatWeekday,
  getDepartureDay,
  getPaymentDeadline,
  heldPaymentCutOff,
  isBankingDay,
  listBankHolidays,
  parseNewYorkTime,
  rollToBankingDay,
} from './bank-time'

const toIsoTimestamp = (time: number) => new Date(time).toISOString()
const parseTimestamp = (text: string) => Date.parse(text)

describe('bank holidays', () => {
  // The dates that the Federal Reserve published.
  test.each([
    [2026, '01-01 01-19 02-16 05-25 06-19 07-04 09-07 10-12 11-11 11-26 12-25'],
    [2027, '01-01 01-18 02-15 05-31 06-19 07-05 09-06 10-11 11-11 11-25 12-25'],
    [2028, '01-01 01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-11 11-23 12-25'],
  ])('of %d', (year, dates) => {
    expect(listBankHolidays(year).map(({ date }) => date)).toEqual(
      dates.split(' ').map((date) => `${year}-${date}`),
    )
  })
  test('a holiday on Saturday closes no day, and one on Sunday closes the Monday', () => {
    expect(isBankingDay('2026-07-03')).toBe(true)
    expect(isBankingDay('2027-07-05')).toBe(false)
    expect(isBankingDay('2021-12-31')).toBe(true)
    expect(isBankingDay('2023-01-02')).toBe(false)
  })
  test('Juneteenth, Christmas and New Year on a weekend follow the same rule', () => {
    // Jun 19, 2027 is a Saturday, Jun 19, 2033 a Sunday. New Year’s Day 2028 is a Saturday.
    expect(
      ['2027-06-18', '2027-06-21', '2033-06-17', '2033-06-20', '2027-12-31', '2028-01-03'].map(
        isBankingDay,
      ),
    ).toEqual([...[true, true, true, false, true, true]])
    expect(findBankHoliday('2033-06-20')).toBe('Juneteenth')
    expect([findBankHoliday('2027-12-24'), findBankHoliday('2033-12-26')]).toEqual([
      null,
      'Christmas Day',
    ])
  })
  test('a year far ahead has all eleven holidays', () => {
    expect(listBankHolidays(2099).map(({ date }) => date)).toEqual(
      '01-01 01-19 02-16 05-25 06-19 07-04 09-07 10-12 11-11 11-26 12-25'
        .split(' ')
        .map((date) => `2099-${date}`),
    )
    expect(isBankingDay('2099-11-26')).toBe(false)
  })
  test('a weekend is not a banking day, and the next banking day skips holidays', () => {
    expect(isBankingDay('2026-11-21')).toBe(false)
    expect(rollToBankingDay('2026-11-21')).toBe('2026-11-23')
    expect(rollToBankingDay('2026-11-26')).toBe('2026-11-27')
    expect(rollToBankingDay('2027-12-31')).toBe('2027-12-31')
    expect(rollToBankingDay('2026-05-23')).toBe('2026-05-26')
  })
})

describe('New York time', () => {
  test.each([
    ['2026-01-15', '19:00', '2026-01-16T00:00:00.000Z'],
    ['2026-07-15', '19:00', '2026-07-15T23:00:00.000Z'],
    // The clocks go forward at 2:00 on Mar 8 and back at 2:00 on Nov 1.
    ['2026-03-08', '00:00', '2026-03-08T05:00:00.000Z'],
    ['2026-03-08', '10:30', '2026-03-08T14:30:00.000Z'],
    ['2026-03-09', '00:00', '2026-03-09T04:00:00.000Z'],
    ['2026-11-01', '00:00', '2026-11-01T04:00:00.000Z'],
    ['2026-11-01', '10:30', '2026-11-01T15:30:00.000Z'],
    ['2026-11-02', '00:00', '2026-11-02T05:00:00.000Z'],
  ])('at %s %s', (date, clock, expected) =>
    expect(toIsoTimestamp(parseNewYorkTime(date, clock))).toBe(expected),
  )

  test('a day of a clock change has 23 or 25 hours', () => {
    const measureDayHours = (date: string) =>
      (parseNewYorkTime(addDays(date, 1), '00:00') - parseNewYorkTime(date, '00:00')) / 3_600_000
    expect([
      measureDayHours('2026-03-07'),
      measureDayHours('2026-03-08'),
      measureDayHours('2026-11-01'),
    ]).toEqual([24, 23, 25])
  })
})

describe('the next cut-off', () => {
  test('the cut-offs are sorted by time of day', () => {
    expect(cutOffs.map((cutOff) => cutOff.at)).toEqual(
      cutOffs.map((cutOff) => cutOff.at).toSorted(),
    )
  })
  test.each([
    ['2026-11-20T15:29:59Z', 'same_day_first', '2026-11-20T15:30:00.000Z'],
    ['2026-11-20T15:30:00Z', 'same_day_second', '2026-11-20T19:45:00.000Z'],
    ['2026-11-20T21:45:00Z', 'proof', '2026-11-21T00:00:00.000Z'],
    // After Friday 19:00 the next cut-off is on Monday.
    ['2026-11-21T00:00:00Z', 'same_day_first', '2026-11-23T15:30:00.000Z'],
    ['2026-11-22T03:00:00Z', 'same_day_first', '2026-11-23T15:30:00.000Z'],
    // Wednesday evening before Thanksgiving.
    ['2026-11-26T01:00:00Z', 'same_day_first', '2026-11-27T15:30:00.000Z'],
    // The clocks go forward on this weekend: Monday is an hour earlier in UTC than Friday.
    ['2026-03-07T12:00:00Z', 'same_day_first', '2026-03-09T14:30:00.000Z'],
  ])('after %s is %s', (now, id, expected) =>
    expect(findNextCutOff(parseTimestamp(now), cutOffs)).toMatchObject({ id, at: expected }),
  )
})

describe('the due time of a held payment', () => {
  test('is the proof cut-off of its date', () => {
    expect(getPaymentDeadline('2026-11-20', parseTimestamp('2026-11-20T20:00:00Z'))).toEqual({
      at: '2026-11-21T00:00:00.000Z',
      missed: false,
    })
  })
  test('is on the next banking day if its date is not one', () => {
    expect(getPaymentDeadline('2026-11-21', parseTimestamp('2026-11-21T12:00:00Z'))).toEqual({
      at: '2026-11-24T00:00:00.000Z',
      missed: false,
    })
    expect(getPaymentDeadline('2026-11-26', parseTimestamp('2026-11-20T12:00:00Z'))).toEqual({
      at: '2026-11-28T00:00:00.000Z',
      missed: false,
    })
  })
  test('is the next cut-off if its own was missed', () => {
    expect(getPaymentDeadline('2026-11-18', parseTimestamp('2026-11-20T12:00:00Z'))).toEqual({
      at: '2026-11-21T00:00:00.000Z',
      missed: true,
    })
    expect(getPaymentDeadline('2026-11-20', parseTimestamp('2026-11-21T00:00:00Z'))).toEqual({
      at: '2026-11-24T00:00:00.000Z',
      missed: true,
    })
  })
})

describe('the day a payment is sent', () => {
  test.each([
    ['on a banking day before its cut-off', '2026-11-20', '2026-11-20T23:59:59Z', '2026-11-20'],
    ['on a Friday after its cut-off', '2026-11-20', '2026-11-21T00:00:00Z', '2026-11-23'],
    ['dated today, a Sunday', '2026-11-22', '2026-11-22T17:00:00Z', '2026-11-23'],
    ['dated on a holiday', '2026-11-26', '2026-11-22T17:00:00Z', '2026-11-27'],
    [
      'dated on the eve of a holiday, after its cut-off',
      '2026-11-25',
      '2026-11-26T00:00:00Z',
      '2026-11-27',
    ],
    [
      'dated on a Sunday that has passed, on the Monday',
      '2026-11-22',
      '2026-11-23T15:00:00Z',
      '2026-11-23',
    ],
    ['dated in the past, on a Saturday', '2026-11-18', '2026-11-21T15:00:00Z', '2026-11-23'],
    ['on the last day of a year', '2026-12-31', '2026-12-31T23:59:00Z', '2026-12-31'],
    [
      'on the last day of a year after its cut-off: New Year, then a weekend',
      '2026-12-31',
      '2027-01-01T00:00:00Z',
      '2027-01-04',
    ],
    ['dated on New Year’s Day', '2027-01-01', '2026-12-30T15:00:00Z', '2027-01-04'],
    // In summer 19:00 in New York is an hour earlier in UTC. The New York date can be a day before
    // the UTC date.
    ['in summer before its cut-off', '2026-07-15', '2026-07-15T22:59:59Z', '2026-07-15'],
    ['in summer after its cut-off', '2026-07-15', '2026-07-15T23:00:00Z', '2026-07-16'],
    [
      'late in the evening, when UTC is a day ahead',
      '2026-11-24',
      '2026-11-25T03:00:00Z',
      '2026-11-25',
    ],
    ['on the Sunday the clocks go forward', '2026-03-08', '2026-03-08T06:30:00Z', '2026-03-09'],
    [
      'on the Monday after the clocks went back',
      '2026-11-02',
      '2026-11-02T23:59:59Z',
      '2026-11-02',
    ],
  ])('%s', (_, date, now, day) => expect(getDepartureDay(date, parseTimestamp(now))).toBe(day))

  test('equals the day of the cut-off for held payments', () => {
    for (const now of [
      '2026-11-20T15:00:00Z',
      '2026-11-21T01:00:00Z',
      '2026-11-22T17:00:00Z',
      '2026-11-26T15:00:00Z',
    ].map(parseTimestamp)) {
      expect(getPaymentDeadline('2026-11-18', now).at).toBe(
        findNextCutOff(now, [heldPaymentCutOff]).at,
      )
    }
    expect(getPaymentDeadline('2026-11-22', parseTimestamp('2026-11-22T17:00:00Z')).at).toBe(
      findNextCutOff(parseTimestamp('2026-11-22T17:00:00Z'), [heldPaymentCutOff]).at,
    )
  })
})

test.each([
  [
    'a banking day',
    '2026-11-20',
    '2026-11-20T15:00:00Z',
    'The payment is sent today; cut-off 7:00 PM in New York.',
  ],
  [
    'a Friday after its cut-off',
    '2026-11-20',
    '2026-11-21T00:00:00Z',
    'The cut-off of today, 7:00 PM in New York, has passed: the payment is sent on Monday, Nov 23.',
  ],
  [
    'a Sunday',
    '2026-11-22',
    '2026-11-22T17:00:00Z',
    'Sunday, Nov 22 is not a banking day: the payment is sent on Monday, Nov 23.',
  ],
  [
    'a Sunday, seen on the Monday',
    '2026-11-22',
    '2026-11-23T15:00:00Z',
    'Sunday, Nov 22 is not a banking day: the payment is sent today.',
  ],
  [
    'a Sunday, seen on the Monday after the cut-off',
    '2026-11-22',
    '2026-11-24T01:00:00Z',
    'Sunday, Nov 22 has passed: the payment is sent on Tuesday, Nov 24.',
  ],
  [
    'a day to come',
    '2026-11-24',
    '2026-11-22T17:00:00Z',
    'The payment is sent on Tuesday, Nov 24.',
  ],
  [
    'a holiday',
    '2026-11-26',
    '2026-11-22T17:00:00Z',
    'Thursday, Nov 26 is not a banking day (Thanksgiving Day): the payment is sent on Friday, Nov 27.',
  ],
  [
    'New Year’s Day',
    '2027-01-01',
    '2026-12-31T15:00:00Z',
    'Friday, Jan 1, 2027 is not a banking day (New Year’s Day): the payment is sent on Monday, Jan 4, 2027.',
  ],
  [
    'an observed holiday',
    '2033-06-20',
    '2033-06-17T15:00:00Z',
    'Monday, Jun 20 is not a banking day (Juneteenth): the payment is sent on Tuesday, Jun 21.',
  ],
  [
    'a day long past',
    '2026-11-18',
    '2026-11-20T15:00:00Z',
    'Wednesday, Nov 18 has passed: the payment is sent today.',
  ],
  ['no date', '', '2026-11-20T15:00:00Z', 'A day in New York.'],
  ['a date that does not exist', '2026-02-30', '2026-11-20T15:00:00Z', 'A day in New York.'],
])('%s has a text with the sending day', (_, date, now, text) =>
  expect(formatDeparture(date, Date.parse(now))).toBe(text),
)

test('a day of another year includes the year', () => {
  expect([
    formatWeekday('2026-12-31', '2026-01-01'),
    formatWeekday('2027-01-04', '2026-12-31'),
  ]).toEqual(['Thursday, Dec 31', 'Monday, Jan 4, 2027'])
})

test('a time of day has the 12-hour format', () => {
  expect((['00:15', '10:30', '12:00', '16:45'] as const).map(formatClockTime)).toEqual([
    ...['12:15 AM', '10:30 AM', '12:00 PM', '4:45 PM'].map((clock) => `${clock} in New York`),
  ])
})
