import { describe, expect, test } from 'vitest'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'
import type { Representative } from '@/lib/operations/representatives.schema'
import {
  createOnboardingChecks,
  type OnboardingFacts,
  summarizeOnboardingChecks,
  whyNotOnboard,
} from './onboarding-checks'

const readTime = '2026-03-31T12:00:00Z'
const createRepresentative = (
  id: string,
  relationship: Partial<NonNullable<Representative['relationship']>>,
  status = 'created',
) => ({ id, status, relationship }) as Representative
const createLinkedBankAccount = (status = 'created') =>
  ({ id: 'bank', status }) as LinkedBankAccount

const fullProfile = {
  name: 'Acme',
  website: 'https://acme.example.com',
  legal_name: 'Acme, LLC',
  tax_id: '••••6789',
  phone: '+15125550100',
  address: {
    line1: '1 Main St',
    line2: undefined,
    city: 'Austin',
    state: 'TX',
    postal_code: '78701',
    country: 'US',
  },
  industry: { mcc: '6513', sector: undefined, category: undefined },
  description: 'Lets flats',
  use_case: 'Rents',
  support_channels: { email: 'help@acme.example.com', phone: undefined, url: undefined },
}

const createOnboardingFacts = (overrides: Partial<OnboardingFacts> = {}): OnboardingFacts => ({
  account: { business_profile: fullProfile },
  readAt: readTime,
  representatives: {
    data: [createRepresentative('a', { primary: true, control: true })],
    at: readTime,
  },
  linkedBankAccounts: { data: [createLinkedBankAccount()], at: readTime },
  ...overrides,
})
const findCheck = (id: string, factOverrides: Partial<OnboardingFacts>) =>
  createOnboardingChecks(createOnboardingFacts(factOverrides)).find((check) => check.id === id)

test('a complete account passes all checks and can be submitted', () => {
  const checks = createOnboardingChecks(createOnboardingFacts())
  expect(checks.map((check) => check.result)).toEqual(['pass', 'pass', 'pass', 'pass'])
  expect(checks.every((check) => check.fix === null)).toBe(true)
  expect(whyNotOnboard('created', checks)).toBeNull()
})

test.each(['onboarding', 'active', 'rejected', 'inactive', 'parked'])(
  'an account that is %s cannot be submitted again',
  (status) => {
    expect(whyNotOnboard(status, createOnboardingChecks(createOnboardingFacts()))).toContain(
      'status Created',
    )
  },
)

describe('representatives', () => {
  test('an account without representatives leads to a new one', () => {
    const representativesResult = { data: [], at: readTime }
    expect(findCheck('control', { representatives: representativesResult })).toMatchObject({
      result: 'fail',
      fix: { kind: 'new_representative' },
    })
    expect(findCheck('primary', { representatives: representativesResult })).toMatchObject({
      result: 'fail',
      fix: { kind: 'new_representative' },
    })
  })

  test('a representative without control leads to that person', () => {
    const uncontrolledPersonResult = {
      data: [createRepresentative('a', { primary: true, control: false })],
      at: readTime,
    }
    expect(findCheck('control', { representatives: uncontrolledPersonResult })).toMatchObject({
      result: 'fail',
      fix: { kind: 'representative', id: 'a' },
    })
  })

  test('a second primary contact fails the check and leads to that person', () => {
    const twoPrimariesResult = {
      data: [
        createRepresentative('a', { primary: true, control: true }),
        createRepresentative('b', { primary: true }),
      ],
      at: readTime,
    }
    expect(findCheck('primary', { representatives: twoPrimariesResult })).toMatchObject({
      result: 'fail',
      fix: { kind: 'representative', id: 'b' },
    })
  })

  test('a rejected representative does not count', () => {
    const rejectedPersonResult = {
      data: [createRepresentative('a', { primary: true, control: true }, 'rejected')],
      at: readTime,
    }
    expect(findCheck('control', { representatives: rejectedPersonResult })?.result).toBe('fail')
    expect(findCheck('primary', { representatives: rejectedPersonResult })?.result).toBe('fail')
  })
})

test.each(['canceled', 'rejected', 'inactive'])(
  'a linked bank account that is %s does not count',
  (status) => {
    const bankCheck = findCheck('bank', {
      linkedBankAccounts: { data: [createLinkedBankAccount(status)], at: readTime },
    })
    expect(bankCheck).toMatchObject({ result: 'fail', fix: { kind: 'new_linked_bank_account' } })
  },
)

describe('profile', () => {
  test('requires a name and a website', () => {
    const account = { business_profile: { ...fullProfile, website: undefined } }
    expect(findCheck('profile', { account })).toMatchObject({
      result: 'fail',
      fix: { kind: 'profile' },
    })
    expect(findCheck('profile', { account: { business_profile: undefined } })?.result).toBe('fail')
  })

  test('lists missing verification data as a warning and can still be submitted', () => {
    const account = {
      business_profile: {
        ...fullProfile,
        tax_id: undefined,
        industry: { mcc: undefined, sector: 'a', category: undefined },
      },
    }
    const checks = createOnboardingChecks(createOnboardingFacts({ account }))
    expect(checks[0]).toMatchObject({ result: 'warn', fix: { kind: 'profile' } })
    expect(checks[0]?.sentence).toMatch(/tax ID, industry\.$/)
    expect(whyNotOnboard('created', checks)).toBeNull()
    expect(summarizeOnboardingChecks(checks)).toBe('1 to review')
  })
})

test('the summary is "complete" only if every check passed', () => {
  const summarize = (facts: Parameters<typeof createOnboardingFacts>[0]) =>
    summarizeOnboardingChecks(createOnboardingChecks(createOnboardingFacts(facts)))
  expect(summarize({})).toBe('complete')
  expect(summarize({ linkedBankAccounts: {} })).toBe('loading')
  expect(
    summarize({
      linkedBankAccounts: { data: [], at: readTime },
      representatives: { error: 'Could not be read: no answer' },
    }),
  ).toBe('1 missing, 2 to review')
})

test('data that is unreadable or loading disallows the submission', () => {
  const checksWithUnreadData = createOnboardingChecks(
    createOnboardingFacts({ representatives: { error: 'Could not be read: no answer' } }),
  )
  expect(whyNotOnboard('created', checksWithUnreadData)).toContain('Could not be read')
  const checksWithLoadingData = createOnboardingChecks(
    createOnboardingFacts({ linkedBankAccounts: {} }),
  )
  expect(whyNotOnboard('created', checksWithLoadingData)).toContain('still loading')
})
