import { describe, expect, test } from 'vitest'
import {
  describeAccountStatus,
  getAccountReasonText,
  summarizeCapabilities,
  toCapabilityGroups,
} from './account-labels'

const createCapability = (capability_status: string) => ({ capability_status })
const createCapabilities = (state: string) => ({
  payment_types: { charges: createCapability(state), payouts: createCapability(state) },
  customer_types: { individuals: createCapability(state), businesses: createCapability(state) },
  consent_types: { signed_agreement: createCapability(state), internet: createCapability(state) },
})
const createStatusDetail = (reason: string) => ({
  reason,
  source: 'watchtower',
  code: '',
  message: undefined,
})

describe('the status of an account', () => {
  test('explains the reason', () => {
    const statusDescription = describeAccountStatus({
      status: 'onboarding',
      status_detail: createStatusDetail('in_review'),
    })
    expect(statusDescription).toMatchObject({
      label: 'Onboarding',
      tone: 'moving',
      why: 'being reviewed by the service',
    })
  })

  test('of an active account does not repeat that it is verified', () => {
    expect(
      describeAccountStatus({ status: 'active', status_detail: createStatusDetail('verified') })
        .why,
    ).toBe('')
  })

  test('of a stuck account has the tone “held”', () => {
    expect(
      describeAccountStatus({ status: 'onboarding', status_detail: createStatusDetail('stuck') })
        .tone,
    ).toBe('held')
  })

  test('keeps an unknown reason unchanged, and a missing one is empty', () => {
    expect(getAccountReasonText('quarantined')).toBe('quarantined')
    expect(describeAccountStatus({ status: 'parked', status_detail: undefined })).toMatchObject({
      label: 'parked',
      tone: 'neutral',
      why: '',
    })
  })
})

describe('capabilities', () => {
  test('form three groups of two, even if the service sent none', () => {
    const capabilityGroups = toCapabilityGroups({ capabilities: undefined })
    expect(capabilityGroups.map((group) => group.leaves.length)).toEqual([2, 2, 2])
    expect(
      capabilityGroups.flatMap((group) => group.leaves).every((each) => each.state === undefined),
    ).toBe(true)
  })

  test.each([
    [createCapabilities('active'), 'All enabled'],
    [createCapabilities('inactive'), 'None enabled'],
    [undefined, 'Not known'],
    [
      {
        ...createCapabilities('active'),
        payment_types: {
          charges: createCapability('active'),
          payouts: createCapability('inactive'),
        },
      },
      'Not enabled: payouts',
    ],
    [
      {
        ...createCapabilities('active'),
        consent_types: {
          signed_agreement: createCapability('inactive'),
          internet: createCapability('paused'),
        },
      },
      'Not enabled: signed agreement; 1 not known',
    ],
  ])('are summarized in one line: %#', (capabilities, line) => {
    expect(summarizeCapabilities({ capabilities })).toBe(line)
  })
})
