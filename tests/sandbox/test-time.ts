const hourMs = 3_600_000
const newYorkFormat = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', year: 'numeric', month: '2-digit', day: '2-digit' })

/** Returns the payment date at a time in milliseconds. The calculation is repeated here, because tests check the sandbox's own. */
export const toPaymentDate = (at: number): string => newYorkFormat.format(at)

// 15:00 UTC is 10 or 11 AM in New York, depending on the season.
const startMs = Date.parse(`${toPaymentDate(Date.now())}T15:00:00Z`)

/**
 * First time of the sandbox's clock in a test file (ISO 8601): morning in New York. Tests that advance the clock by hours then stay within
 * one payment date, whenever they run.
 */
export const morning: string = new Date(startMs).toISOString()

/** Returns the payment date `days` after the first one of the sandbox. */
export const today = (days = 0): string => toPaymentDate(startMs + days * 24 * hourMs)

const newYorkDay = new Date(`${toPaymentDate(startMs)}T00:00:00Z`).getUTCDay()

/**
 * Morning of the last Sunday (ISO 8601). Banks are closed, so some seeded money is still in transit. On other days, all of it has arrived.
 */
export const sundayMorning: string = new Date(startMs - newYorkDay * 24 * hourMs).toISOString()
