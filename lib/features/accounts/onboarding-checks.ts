import { type CheckResult, type ReadResult, toCheckResult } from '@/lib/domain/check'
import type { Account } from '@/lib/operations/accounts.schema'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'
import type { Representative } from '@/lib/operations/representatives.schema'

/** The form that fixes a failed check. */
export type OnboardingFix =
  | { kind: 'profile' | 'new_representative' | 'new_linked_bank_account' }
  | { kind: 'representative'; id: string }

/** `fix` is null if nothing is missing. */
export type OnboardingCheck = CheckResult & { fix: OnboardingFix | null }

export type OnboardingFacts = {
  account: Pick<Account, 'business_profile'>
  readAt: string
  representatives: ReadResult<readonly Representative[]>
  linkedBankAccounts: ReadResult<readonly LinkedBankAccount[]>
}

type OnboardingFinding = Pick<CheckResult, 'result' | 'sentence'> & { fix?: OnboardingFix }
type BusinessProfile = NonNullable<Account['business_profile']>

const endedStates = ['rejected', 'inactive', 'canceled']
const excludeEndedItems = <T extends { status: string }>(items: readonly T[]) =>
  items.filter(({ status }) => !endedStates.includes(status))

/** Parts of a profile that verification checks, besides name and website. */
const checkedProfileParts: readonly {
  label: string
  has: (profile: BusinessProfile) => boolean
}[] = [
  { label: 'legal name', has: (profile) => Boolean(profile.legal_name) },
  { label: 'tax ID', has: (profile) => Boolean(profile.tax_id) },
  { label: 'phone', has: (profile) => Boolean(profile.phone) },
  {
    label: 'address',
    has: ({ address }) =>
      Boolean(address?.line1 && address.city && address.state && address.postal_code),
  },
  {
    label: 'industry',
    has: ({ industry }) => Boolean(industry?.mcc || (industry?.sector && industry.category)),
  },
  { label: 'business description', has: (profile) => Boolean(profile.description) },
  { label: 'purpose of the payments', has: (profile) => Boolean(profile.use_case) },
  {
    label: 'a support contact',
    has: ({ support_channels: support }) =>
      Boolean(support?.email || support?.phone || support?.url),
  },
]

/**
 * The service refuses a profile without a name and a website. The verification asks for all other
 * parts only days later, so another missing part is a warning.
 */
function assessProfile({
  business_profile: profile,
}: OnboardingFacts['account']): OnboardingFinding {
  const profileFix = { kind: 'profile' } as const
  if (!profile?.name || !profile.website)
    return { result: 'fail', sentence: 'Name and website are needed.', fix: profileFix }
  const missingParts = checkedProfileParts
    .filter((part) => !part.has(profile))
    .map((part) => part.label)
  if (missingParts.length === 0) return { result: 'pass', sentence: 'The profile is complete.' }
  return {
    result: 'warn',
    sentence: `Missing, and needed for verification: ${missingParts.join(', ')}.`,
    fix: profileFix,
  }
}

function assessControlPerson(allRepresentatives: readonly Representative[]): OnboardingFinding {
  const activeRepresentatives = excludeEndedItems(allRepresentatives)
  const controlPeople = activeRepresentatives.filter(
    (person) => person.relationship?.control === true,
  )
  if (controlPeople.length > 0)
    return {
      result: 'pass',
      sentence: controlPeople.length === 1 ? '1 person.' : `${controlPeople.length} people.`,
    }
  const [firstPerson] = activeRepresentatives
  if (!firstPerson)
    return { result: 'fail', sentence: 'No control person.', fix: { kind: 'new_representative' } }
  const controlPersonSentence =
    activeRepresentatives.length === 1
      ? 'No control person.'
      : `No control person among ${activeRepresentatives.length} representatives.`
  return {
    result: 'fail',
    sentence: controlPersonSentence,
    fix: { kind: 'representative', id: firstPerson.id },
  }
}

function assessPrimaryPerson(allRepresentatives: readonly Representative[]): OnboardingFinding {
  const currentRepresentatives = excludeEndedItems(allRepresentatives)
  const primaryRepresentatives = currentRepresentatives.filter(
    (person) => person.relationship?.primary === true,
  )
  if (primaryRepresentatives.length === 1) return { result: 'pass', sentence: 'One person.' }
  const [first] =
    primaryRepresentatives.length > 1 ? primaryRepresentatives.slice(1) : currentRepresentatives
  const primaryPersonFix: OnboardingFix = first
    ? { kind: 'representative', id: first.id }
    : { kind: 'new_representative' }
  if (primaryRepresentatives.length > 1)
    return {
      result: 'fail',
      sentence: `${primaryRepresentatives.length} people are primary; only one is allowed.`,
      fix: primaryPersonFix,
    }
  return { result: 'fail', sentence: 'No primary contact.', fix: primaryPersonFix }
}

function assessLinkedBank(allLinkedAccounts: readonly LinkedBankAccount[]): OnboardingFinding {
  const activeAccountCount = excludeEndedItems(allLinkedAccounts).length
  if (activeAccountCount > 0)
    return {
      result: 'pass',
      sentence:
        activeAccountCount === 1 ? '1 bank account.' : `${activeAccountCount} bank accounts.`,
    }
  const linkedBankSentence =
    allLinkedAccounts.length > 0
      ? 'The linked bank accounts are rejected or inactive.'
      : 'No linked bank account.'
  return { result: 'fail', sentence: linkedBankSentence, fix: { kind: 'new_linked_bank_account' } }
}

function toOnboardingCheck<T>(
  id: string,
  label: string,
  readResult: ReadResult<T>,
  assess: (value: T) => OnboardingFinding,
): OnboardingCheck {
  let fix: OnboardingFix | null = null
  const checkResult = toCheckResult(id, label, readResult, (value) => {
    const { fix: found = null, ...finding } = assess(value)
    fix = found
    return finding
  })
  return { ...checkResult, fix }
}

/**
 * The checks before an account is submitted for verification (provider facts 1.8, 2.13, 2.16).
 * `fail` blocks the submission; a person must accept `warn`.
 */
export const createOnboardingChecks = ({
  account,
  readAt,
  representatives,
  linkedBankAccounts,
}: OnboardingFacts): OnboardingCheck[] => [
  toOnboardingCheck('profile', 'Profile', { data: account, at: readAt }, assessProfile),
  toOnboardingCheck('control', 'Control', representatives, assessControlPerson),
  toOnboardingCheck('primary', 'Primary', representatives, assessPrimaryPerson),
  toOnboardingCheck('bank', 'Bank account', linkedBankAccounts, assessLinkedBank),
]

/** Returns "complete" only if every check passed. */
export function summarizeOnboardingChecks(checks: readonly OnboardingCheck[]): string {
  const countResults = (...results: CheckResult['result'][]) =>
    checks.filter(({ result }) => results.includes(result)).length
  if (countResults('loading') > 0) return 'loading'
  const [missing, unclear] = [countResults('fail'), countResults('warn', 'unknown')]
  const openTexts = [missing > 0 && `${missing} missing`, unclear > 0 && `${unclear} to review`]
  return openTexts.filter(Boolean).join(', ') || 'complete'
}

/** A check without readable data also blocks the submission. */
export function whyNotOnboard(status: string, checks: readonly OnboardingCheck[]): string | null {
  if (status !== 'created')
    return 'Only an account with the status Created can be submitted for verification.'
  const failedCheck = checks.find((check) => check.result === 'fail')
  if (failedCheck) return `${failedCheck.label}: ${failedCheck.sentence}`
  if (checks.some((check) => check.result === 'loading')) return 'The checklist is still loading.'
  const unknownCheck = checks.find((check) => check.result === 'unknown')
  return unknownCheck ? `${unknownCheck.label}: ${unknownCheck.sentence}` : null
}
