import { iso, paymentDateOf, startOfPaymentDate } from '@/sandbox/store/clock'

const tenHours = 36_000_000
const day = 86_400_000

const begun = startOfPaymentDate(paymentDateOf(Date.now())) + tenHours

/**
 * Where the clock of a test file's sandbox begins, in ISO 8601: at ten o'clock in New York, so that tests which let minutes and hours pass on it
 * stay within a payment date, whenever they are run.
 */
export const morning: string = iso(begun)

/** A payment date, `days` after the one such a sandbox begins on. */
export const today = (days = 0): string => paymentDateOf(begun + days * day)
