import { dayText } from '@/lib/dates'
import { capitalizeFirst } from '@/lib/domain/capitalize-first'
import type { ErrorItem } from '@/lib/errors'
import { moneyText } from '@/lib/money'
import { findReturnCode } from './return-codes'
import { findEntry } from './service-words'
import { isKnownStatus, statusWords } from './status'

/** A warning about a decision. `detail` is a value for its sentence: minor units, a count, a state or a code; never free text. */
export type Warning = { code: WarningCode; detail?: string }

/**
 * The text of a warning. `detail` is the pattern that the warning's detail must match; without it, the warning has no detail. A text that
 * begins in lower case is a clause to follow "although".
 */
type WarningTemplate = { detail?: RegExp; says: (detail: string) => string }

const fixedText = (text: string): WarningTemplate => ({ says: () => text })
const amountPattern = /^\d{1,12}$/
const count = /^[1-9]\d{0,3}$/
const statePattern = /^[a-z_]{1,40}$/
const result = /^(?:warn|fail|unknown)$/

const createOverLimitText = (name: string): WarningTemplate => ({
  detail: amountPattern,
  says: (over) => `it is over the ${name} limit by ${moneyText(Number(over))}`,
})
const unknownLimitText = (name: string) => fixedText(`the ${name} limit could not be checked`)
const customerStateTemplate: WarningTemplate = {
  detail: statePattern,
  says: (state) => (isKnownStatus('customer', state) ? `the customer is ${customerWord(state)}` : 'the status of the customer is unknown'),
}
const customerWord = (state: string) => statusWords('customer', state).label.toLowerCase()

/** Returns the texts for a failed check of a paykey approval, by the check's result. */
const failedCheckText = (warned: string, unknown: string): WarningTemplate => ({
  detail: result,
  says: (found) => (found === 'unknown' ? unknown : warned),
})

/** All warnings that can be confirmed. Browsers send only their codes, so they cannot add text to the record. */
const warningTexts = {
  paykey_warn: fixedText('the bank account expires soon'),
  paykey_fail: fixedText('the bank account is not usable'),
  paykey_unknown: fixedText('the bank account could not be checked'),
  customer_warn: customerStateTemplate,
  customer_fail: customerStateTemplate,
  customer_unknown: fixedText('the customer could not be checked'),
  consent_warn: fixedText('the signed agreement is not on file'),
  consent_unknown: fixedText('it is not known how the customer authorized'),
  documents_warn: fixedText('no proof is on file'),
  documents_unknown: fixedText('the documents could not be read'),
  balance_warn: { detail: amountPattern, says: (missing) => `the balance is ${moneyText(Number(missing))} too low` },
  balance_unknown: fixedText('the balance is not known'),
  limit_single_warn: createOverLimitText('single-payment'),
  limit_single_unknown: unknownLimitText('single-payment'),
  limit_day_warn: createOverLimitText('daily'),
  limit_day_unknown: unknownLimitText('daily'),
  limit_month_warn: createOverLimitText('monthly'),
  limit_month_unknown: unknownLimitText('monthly'),
  duplicates_warn: {
    detail: count,
    says: (others) =>
      others === '1' ? 'another payment of the same amount was found' : `${others} other payments of the same amount were found`,
  },
  duplicates_unknown: fixedText('duplicates could not be checked'),
  relation_unknown: fixedText('it is not known whether it was refunded or resubmitted'),
  payment_date_unknown: fixedText('the payment date is not known'),
  device_unknown: fixedText('it is not known on which device it was authorized'),
  return_first: { detail: /^R\d\d$/, says: (code) => `${code}: ${findReturnCode(code)?.first ?? 'The cause was resolved.'}` },
  return_unknown: {
    detail: /^[A-Z0-9]{1,10}$/,
    says: (code) => `${code} is a code Paydesk does not know; I checked the code, and it allows a resubmission.`,
  },
  resubmit_review: fixedText('the bank account is in review, so the new payment will be held'),
  returnable_unknown: fixedText('it is not known whether the bank can still return the charge'),
  returnable: { detail: /^\d{4}-\d\d-\d\d$/, says: (day) => `the bank can still return the charge until ${dayText(day)}` },
  approve_names: failedCheckText('the names do not clearly match', 'the names could not be compared'),
  approve_customer: failedCheckText('the customer is not verified', 'the customer could not be checked'),
  approve_expiry: failedCheckText('the bank account expires soon or has expired', 'the expiry is not known'),
  approve_alike: failedCheckText('the bank account seems to be in use elsewhere', 'other uses of the bank account could not be checked'),
  reject_paykey: fixedText('A rejection is final: this paykey cannot be reactivated.'),
  cancel_paykey: fixedText('A cancellation is final: the customer would have to connect the bank account again.'),
  unblock_cause: fixedText('The cause of the return is understood.'),
  unblock_bank: fixedText('The customer’s bank was asked to allow-list our ACH company ID.'),
  verify_modules: fixedText('I reviewed every module that did not pass.'),
  verify_watch_list: fixedText('I compared the watch list matches, and they concern someone else.'),
  reject_innocent: fixedText('I considered an innocent explanation of what did not pass.'),
  reject_neutral: fixedText('The customer will be told in neutral words, without scores or codes.'),
  verify_unread: fixedText('the evidence of the review could not be read'),
  onboard_profile: fixedText('the profile is incomplete'),
  text_email: fixedText('the note seems to contain an email address'),
  text_phone: fixedText('the note seems to contain a phone number'),
  text_digits: fixedText('the note contains a long number'),
  text_name: fixedText('the note contains part of the customer’s name'),
} as const satisfies Record<string, WarningTemplate>

export type WarningCode = keyof typeof warningTexts

const getWarningTemplate = (code: WarningCode): WarningTemplate => warningTexts[code]

const toClause = ({ code, detail = '' }: Warning): string => getWarningTemplate(code).says(detail)
const isClause = (text: string) => /^[^A-Z]/.test(text)

export function warningText(warning: Warning): string {
  const text = toClause(warning)
  return isClause(text) ? `${capitalizeFirst(text)}.` : text
}

/** Returns the warnings as the end of a sentence: "although it is over the daily limit by 1.00 and no proof is on file". */
export function toAlthoughClause(warnings: readonly Warning[]): string {
  const clauses = warnings.map(toClause).filter(isClause)
  const lastClause = clauses.at(-1)
  if (lastClause === undefined) return ''
  const firstClauses = clauses.slice(0, -1).join(', ')
  return `although ${firstClauses === '' ? lastClause : `${firstClauses} and ${lastClause}`}`
}

/** Returns a warning as it is sent and stored: `documents_warn`, `limit_single_warn:8700`. */
export const toWarningName = ({ code, detail }: Warning): string => (detail === undefined ? code : `${code}:${detail}`)

/** Parses a warning that was sent or stored. Returns null for an unknown code or an invalid detail. */
export function parseWarning(name: string): Warning | null {
  const [code = '', detail, ...rest] = name.split(':')
  const template: WarningTemplate | undefined = findEntry(warningTexts, code)
  if (!template || rest.length > 0) return null
  if (template.detail === undefined) return detail === undefined ? { code: code as WarningCode } : null
  return detail !== undefined && template.detail.test(detail) ? { code: code as WarningCode, detail } : null
}

/** The details of these warnings depend on other payments and change often, so a confirmation is valid for any detail. */
const volatileCodes: readonly WarningCode[] = ['limit_day_warn', 'limit_month_warn', 'duplicates_warn', 'balance_warn']

/** Returns the required warnings that were not confirmed. A changed detail requires a new confirmation, except for `volatileCodes` warnings. */
export const findUnconfirmed = (needed: readonly Warning[], ticked: readonly Warning[]): Warning[] =>
  needed.filter(
    (warning) => !ticked.some(({ code, detail }) => code === warning.code && (detail === warning.detail || volatileCodes.includes(code))),
  )

const itemPrefix = 'warnings.'

/** Returns required warnings as the error items of a refused request, one item each. */
export const toWarningItems = (warnings: readonly Warning[]): ErrorItem[] =>
  warnings.map((warning) => ({
    reference: `${itemPrefix}${toWarningName(warning)}`,
    detail: `${warningText(warning)} Confirm it, and try again`,
  }))

export const parseWarningItems = (items: readonly ErrorItem[]): Warning[] =>
  items.flatMap(({ reference }) => (reference.startsWith(itemPrefix) ? (parseWarning(reference.slice(itemPrefix.length)) ?? []) : []))
