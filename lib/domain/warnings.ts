import { formatDay } from '@/lib/dates'
import type { ErrorItem } from '@/lib/errors'
import { capitalizeFirst } from '@/lib/formats'
import { moneyText } from '@/lib/money'
import { findReturnCode } from './return-codes'
import { findOwnValue } from './service-words'
import { getStatusWords, isKnownStatus } from './status'

/** `detail` is minor units, a count, a date, a state or a code, never free text. */
export type Warning = { code: WarningCode; detail?: string }

/**
 * `detail` is the pattern that the warning's detail must match; without it, the warning has none. A
 * sentence that begins in lower case can also follow "although".
 */
type WarningTemplate = { detail?: RegExp; says: (detail: string) => string }

const createFixedTemplate = (text: string): WarningTemplate => ({ says: () => text })
const amountPattern = /^\d{1,12}$/
const countPattern = /^[1-9]\d{0,3}$/
const statePattern = /^[a-z_]{1,40}$/
const checkResultPattern = /^(?:warn|fail|unknown)$/

const createOverLimitTemplate = (limitName: string): WarningTemplate => ({
  detail: amountPattern,
  says: (over) => `the payment is over the ${limitName} limit by ${moneyText(Number(over))}`,
})
const createUnknownLimitTemplate = (limitName: string) =>
  createFixedTemplate(`the ${limitName} limit could not be read, so the payment may be over it`)
const customerStateTemplate: WarningTemplate = {
  detail: statePattern,
  says: (state) =>
    isKnownStatus('customer', state)
      ? `the customer is ${getCustomerStatusLabel(state)}`
      : 'the status of the customer is unknown',
}
const getCustomerStatusLabel = (state: string) =>
  getStatusWords('customer', state).label.toLowerCase()

const createFailedCheckTemplate = (warnedText: string, unknownText: string): WarningTemplate => ({
  detail: checkResultPattern,
  says: (found) => (found === 'unknown' ? unknownText : warnedText),
})

/** A browser sends only code and detail, so it cannot add its own text to the record. */
const warningTemplates = {
  paykey_warn: createFixedTemplate('the bank account expires soon'),
  paykey_fail: createFixedTemplate('the bank account is not usable'),
  paykey_unknown: createFixedTemplate(
    'the bank account could not be read, so it may be blocked or in review',
  ),
  customer_warn: customerStateTemplate,
  customer_fail: customerStateTemplate,
  customer_unknown: createFixedTemplate(
    'the customer could not be read, so they may be unverified or rejected',
  ),
  consent_warn: createFixedTemplate('the signed agreement is not on file'),
  consent_unknown: createFixedTemplate('it is not known how the customer authorized'),
  documents_warn: createFixedTemplate('no proof is on file'),
  documents_unknown: createFixedTemplate('the documents could not be read'),
  balance_warn: {
    detail: amountPattern,
    says: (missing) => `the balance is ${moneyText(Number(missing))} too low`,
  },
  balance_unknown: createFixedTemplate('the balance is not known'),
  limit_single_warn: createOverLimitTemplate('single-payment'),
  limit_single_unknown: createUnknownLimitTemplate('single-payment'),
  limit_day_warn: createOverLimitTemplate('daily'),
  limit_day_unknown: createUnknownLimitTemplate('daily'),
  limit_month_warn: createOverLimitTemplate('monthly'),
  limit_month_unknown: createUnknownLimitTemplate('monthly'),
  duplicates_warn: {
    detail: countPattern,
    says: (others) =>
      others === '1'
        ? 'another payment of the same amount was found'
        : `${others} other payments of the same amount were found`,
  },
  duplicates_unknown: createFixedTemplate(
    'no search for duplicates was possible, so there may be some',
  ),
  relation_unknown: createFixedTemplate(
    'it is not known whether the payment was refunded or resubmitted',
  ),
  payment_date_unknown: createFixedTemplate('the payment date is not known'),
  device_unknown: createFixedTemplate('it is not known on which device the payment was authorized'),
  return_first: {
    detail: /^R\d\d$/,
    says: (code) => `${code}: ${findReturnCode(code)?.first ?? 'The cause was resolved.'}`,
  },
  return_unknown: {
    detail: /^[A-Z0-9]{1,10}$/,
    says: (code) =>
      `${code} is a code Paydesk does not know; I checked the code, and it allows a resubmission.`,
  },
  resubmit_review: createFixedTemplate(
    'the bank account is in review, so the new payment will be held',
  ),
  returnable_unknown: createFixedTemplate(
    'it is not known whether the bank can still return the charge',
  ),
  returnable: {
    detail: /^\d{4}-\d\d-\d\d$/,
    says: (day) => `the bank can still return the charge until ${formatDay(day)}`,
  },
  approve_names: createFailedCheckTemplate(
    'the names do not clearly match',
    'the names could not be compared',
  ),
  approve_customer: createFailedCheckTemplate(
    'the customer is not verified',
    'the customer could not be read',
  ),
  approve_expiry: createFailedCheckTemplate(
    'the bank account expires soon or has expired',
    'the expiry is not known',
  ),
  approve_alike: createFailedCheckTemplate(
    'the bank account seems to be in use elsewhere',
    'no search for other uses of the bank account was possible',
  ),
  reject_paykey: createFixedTemplate('A rejection is final: this paykey cannot be reactivated.'),
  cancel_paykey: createFixedTemplate(
    'A cancellation is final: the customer would have to connect the bank account again.',
  ),
  unblock_cause: createFixedTemplate('The cause of the return is understood.'),
  unblock_bank: createFixedTemplate(
    'The customer’s bank was asked to allow-list our ACH company ID.',
  ),
  verify_modules: createFixedTemplate('I reviewed every check that did not pass.'),
  verify_watch_list: createFixedTemplate(
    'I compared the watch list matches, and they concern someone else.',
  ),
  reject_innocent: createFixedTemplate(
    'I considered an innocent explanation of what did not pass.',
  ),
  reject_neutral: createFixedTemplate(
    'The customer will be told in neutral words, without scores or codes.',
  ),
  verify_unread: createFixedTemplate('the evidence of the review could not be read'),
  onboard_profile: createFixedTemplate('the profile is incomplete'),
  text_email: createFixedTemplate('the note seems to contain an email address'),
  text_phone: createFixedTemplate('the note seems to contain a phone number'),
  text_digits: createFixedTemplate('the note contains a long number'),
  text_name: createFixedTemplate('the note contains part of the customer’s name'),
} as const satisfies Record<string, WarningTemplate>

export type WarningCode = keyof typeof warningTemplates

const getWarningTemplate = (code: WarningCode): WarningTemplate => warningTemplates[code]

const toWarningClause = ({ code, detail = '' }: Warning): string =>
  getWarningTemplate(code).says(detail)
const isAlthoughClause = (text: string) => /^[^A-Z]/.test(text)

export function formatWarning(warning: Warning): string {
  const warningClause = toWarningClause(warning)
  return isAlthoughClause(warningClause) ? `${capitalizeFirst(warningClause)}.` : warningClause
}

/** "although the payment is over the daily limit by 1.00 and no proof is on file". */
export function toAlthoughClause(warnings: readonly Warning[]): string {
  const clauses = warnings.map(toWarningClause).filter(isAlthoughClause)
  const lastClause = clauses.at(-1)
  if (lastClause === undefined) return ''
  const firstClauses = clauses.slice(0, -1).join(', ')
  return `although ${firstClauses === '' ? lastClause : `${firstClauses} and ${lastClause}`}`
}

/** Returns a warning as it is sent and stored: `documents_warn`, `limit_single_warn:8700`. */
export const toWarningName = ({ code, detail }: Warning): string =>
  detail === undefined ? code : `${code}:${detail}`

/** Returns the id of the check that caused a stored warning: `limit_single` of `limit_single_warn:8700`. */
export const findWarnedCheckId = (warningName: string): string =>
  warningName
    .replace(/:.*$/, '')
    .replace(/^approve_/, '')
    .replace(/_(?:warn|fail|unknown)$/, '')

/** Null for an unknown code or an invalid detail. */
export function parseWarning(warningName: string): Warning | null {
  const [code = '', detail, ...rest] = warningName.split(':')
  const warningTemplate: WarningTemplate | undefined = findOwnValue(warningTemplates, code)
  if (!warningTemplate || rest.length > 0) return null
  if (warningTemplate.detail === undefined)
    return detail === undefined ? { code: code as WarningCode } : null
  return detail !== undefined && warningTemplate.detail.test(detail)
    ? { code: code as WarningCode, detail }
    : null
}

/**
 * The details of these warnings depend on other payments or the balance, so a confirmation counts
 * for any detail.
 */
const changingDetailCodes: readonly WarningCode[] = [
  'limit_day_warn',
  'limit_month_warn',
  'duplicates_warn',
  'balance_warn',
]

/** A changed detail requires a new confirmation, except for `changingDetailCodes`. */
export const findUnconfirmedWarnings = (
  requiredWarnings: readonly Warning[],
  confirmedWarnings: readonly Warning[],
): Warning[] =>
  requiredWarnings.filter(
    (warning) =>
      !confirmedWarnings.some(
        ({ code, detail }) =>
          code === warning.code &&
          (detail === warning.detail || changingDetailCodes.includes(code)),
      ),
  )

const warningReferencePrefix = 'warnings.'

export const toWarningErrorItems = (warnings: readonly Warning[]): ErrorItem[] =>
  warnings.map((warning) => ({
    reference: `${warningReferencePrefix}${toWarningName(warning)}`,
    detail: `${formatWarning(warning)} Confirm it, and try again`,
  }))

export const parseWarningErrorItems = (items: readonly ErrorItem[]): Warning[] =>
  items.flatMap(({ reference }) =>
    reference.startsWith(warningReferencePrefix)
      ? (parseWarning(reference.slice(warningReferencePrefix.length)) ?? [])
      : [],
  )
