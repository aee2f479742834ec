const hour = 3_600_000
const newYork = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', year: 'numeric', month: '2-digit', day: '2-digit' })

/** The payment date at a time in milliseconds since 1970. Computed here, not by the sandbox's own function, which it is to judge. */
export const dateAt = (at: number): string => newYork.format(at)

// Ten or eleven o'clock in New York, by the season.
const begun = Date.parse(`${dateAt(Date.now())}T15:00:00Z`)

/**
 * Where the clock of a test file's sandbox begins, in ISO 8601: in the morning in New York, so that tests which let minutes and hours pass on it
 * stay within a payment date, whenever they are run.
 */
export const morning: string = new Date(begun).toISOString()

/** A payment date, `days` after the one such a sandbox begins on. */
export const today = (days = 0): string => dateAt(begun + days * 24 * hour)

const newYorkDay = new Date(`${dateAt(begun)}T00:00:00Z`).getUTCDay()

/** The morning of the last Sunday: banks rest, so some of the money that is seeded is still under way. On other days all of it has arrived by then. */
export const sundayMorning: string = new Date(begun - newYorkDay * 24 * hour).toISOString()
