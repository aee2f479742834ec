import { describe, expect, test } from 'vitest'
import { startsFrom, whyNot } from './payout-rules'
import { paymentStates } from './status'

const payout = (status: string, amount = '10000') => ({ status, amount })
const minor = { unit: 'minor' } as const

describe.each(['release', 'hold', 'cancel'] as const)('%s', (action) => {
  test.each(paymentStates)('from %s follows the table', (status) => {
    const allowed = startsFrom[action].includes(status)
    expect(whyNot(action, payout(status), minor) === null).toBe(allowed)
  })

  test('explains an unknown state and names it', () => {
    expect(whyNot(action, payout('quarantined'), minor)).toContain('“quarantined”')
  })

  test('is closed while the amount cannot be read', () => {
    const [from] = startsFrom[action]
    expect(whyNot(action, payout(from ?? '', '100.00'), minor)).toContain('amount cannot be read')
    expect(whyNot(action, payout(from ?? '', '100.00'), { unit: 'major' })).toBeNull()
  })
})

test.each(['review', 'blocked', 'rejected', 'inactive'])('a paykey that is %s closes the release and nothing else', (paykeyStatus) => {
  expect(whyNot('release', payout('on_hold'), { ...minor, paykeyStatus })).toContain('bank account')
  expect(whyNot('cancel', payout('on_hold'), { ...minor, paykeyStatus })).toBeNull()
})

test('an active or unknown paykey does not close the release', () => {
  expect(whyNot('release', payout('on_hold'), { ...minor, paykeyStatus: 'active' })).toBeNull()
  expect(whyNot('release', payout('on_hold'), minor)).toBeNull()
})

test('a proof may be added in every state', () => {
  for (const state of paymentStates) expect(whyNot('authorize', payout(state, 'x'), minor)).toBeNull()
})
