const hourMs = 3_600_000
const newYorkFormat = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/**
 * Returns the payment date (the date in New York) at a time in milliseconds. Does not use the
 * sandbox's own calculation, because tests check it.
 */
export const toPaymentDate = (timeMs: number): string => newYorkFormat.format(timeMs)

// 15:00 UTC is 10 or 11 AM in New York, depending on the season.
const clockStartMs = Date.parse(`${toPaymentDate(Date.now())}T15:00:00Z`)

/**
 * Time at which the sandbox's clock starts in a test file (ISO 8601): morning in New York. Tests
 * that advance the clock by hours then stay within one payment date, at any time of the real day.
 */
export const morningTime: string = new Date(clockStartMs).toISOString()

/** Returns the payment date `days` days after the start of the sandbox's clock. */
export const getPaymentDate = (days = 0): string => toPaymentDate(clockStartMs + days * 24 * hourMs)

const newYorkWeekday = new Date(`${toPaymentDate(clockStartMs)}T00:00:00Z`).getUTCDay()

/**
 * Morning of the last Sunday (ISO 8601), for tests that need seeded money in transit. Banks are
 * closed on Sundays. On other days, all seeded money has arrived.
 */
export const sundayMorning: string = new Date(
  clockStartMs - newYorkWeekday * 24 * hourMs,
).toISOString()
