const hour = 3_600_000
const newYork = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', year: 'numeric', month: '2-digit', day: '2-digit' })

/** Returns the payment date at a time in milliseconds since 1970. Computed here, because tests verify the sandbox's own function. */
export const dateAt = (at: number): string => newYork.format(at)

// 10 or 11 AM in New York, by season.
const begun = Date.parse(`${dateAt(Date.now())}T15:00:00Z`)

/**
 * Initial clock time of a test file's sandbox, in ISO 8601: morning in New York. Tests that advance the clock by minutes and hours stay
 * within one payment date, at any time of day.
 */
export const morning: string = new Date(begun).toISOString()

/** Returns the payment date `days` after the sandbox's first one. */
export const today = (days = 0): string => dateAt(begun + days * 24 * hour)

const newYorkDay = new Date(`${dateAt(begun)}T00:00:00Z`).getUTCDay()

/** Morning of the last Sunday. Banks are closed, so some seeded money is still in transit; on other days all of it has arrived. */
export const sundayMorning: string = new Date(begun - newYorkDay * 24 * hour).toISOString()
