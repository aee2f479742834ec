const weekdayOf = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()
const text = (year: number, month: number, day: number) => new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)

/** The n-th weekday (0 is Sunday) of a month; months count from 1. */
function nth(year: number, month: number, weekday: number, n: number): string {
  const first = weekdayOf(text(year, month, 1))
  return text(year, month, 1 + ((weekday - first + 7) % 7) + (n - 1) * 7)
}

/** The last weekday (0 is Sunday) of a month. */
function last(year: number, month: number, weekday: number): string {
  const end = text(year, month + 1, 0)
  return text(year, month, Number(end.slice(8)) - ((weekdayOf(end) - weekday + 7) % 7))
}

/** Banks close on the Monday after a holiday on a Sunday, and stay open on the Friday before one on a Saturday (Federal Reserve, holiday rule). */
function observed(date: string): string {
  return weekdayOf(date) === 0 ? text(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8)) + 1) : date
}

const rules: readonly { name: string; on: (year: number) => string }[] = [
  { name: 'New Year’s Day', on: (year) => observed(text(year, 1, 1)) },
  { name: 'Birthday of Martin Luther King, Jr.', on: (year) => nth(year, 1, 1, 3) },
  { name: 'Washington’s Birthday', on: (year) => nth(year, 2, 1, 3) },
  { name: 'Memorial Day', on: (year) => last(year, 5, 1) },
  { name: 'Juneteenth', on: (year) => observed(text(year, 6, 19)) },
  { name: 'Independence Day', on: (year) => observed(text(year, 7, 4)) },
  { name: 'Labor Day', on: (year) => nth(year, 9, 1, 1) },
  { name: 'Columbus Day', on: (year) => nth(year, 10, 1, 2) },
  { name: 'Veterans Day', on: (year) => observed(text(year, 11, 11)) },
  { name: 'Thanksgiving Day', on: (year) => nth(year, 11, 4, 4) },
  { name: 'Christmas Day', on: (year) => observed(text(year, 12, 25)) },
]

/** The days on which the Federal Reserve settles nothing in a year, as dates, in the order of the year. Computed by rule, so no list runs out. */
export const bankHolidays = (year: number): { name: string; date: string }[] => rules.map(({ name, on }) => ({ name, date: on(year) }))

/** Whether a calendar date is a holiday of the Federal Reserve. */
export const isBankHoliday = (date: string): boolean => rules.some(({ on }) => on(Number(date.slice(0, 4))) === date)
