import { describe, expect, test } from 'vitest'
import { environments } from '@/lib/operations/define'
import { type Admin, type Right, whyNoAdminLeft, whyNotGrant, whyNotRevoke } from './rules'

const right = (fields: Partial<Right> = {}): Right => ({
  role: 'operator',
  environment: 'sandbox',
  accountId: null,
  expiresAt: null,
  ...fields,
})

describe('a person grants only what they hold', () => {
  test.each<[string, Right[], Right, RegExp | null]>([
    ['an admin every role', [right({ role: 'admin' })], right({ role: 'reviewer' }), null],
    ['an admin an admin', [right({ role: 'admin' })], right({ role: 'admin' }), null],
    ['the whole platform one account', [right({ role: 'admin' })], right({ accountId: 'a' }), null],
    ['a role that is held', [right({ role: 'reviewer' })], right({ role: 'reviewer' }), null],
    ['another environment', [right({ role: 'admin' })], right({ environment: 'production' }), /in production/],
    ['another role', [right({ role: 'reviewer' })], right({ role: 'operator' }), /role operator/],
    ['another account', [right({ role: 'admin', accountId: 'a' })], right({ accountId: 'b' }), /this account/],
    ['the whole platform from one account', [right({ role: 'admin', accountId: 'a' })], right(), /whole platform/],
    ['nothing held', [], right(), /do not hold/],
    ['longer than it is held', [right({ role: 'admin', expiresAt: 5 })], right({ expiresAt: 6 }), /for longer/],
    ['for good from what ends', [right({ role: 'admin', expiresAt: 5 })], right(), /for longer/],
    ['as long as it is held', [right({ role: 'admin', expiresAt: 5 })], right({ expiresAt: 5 }), null],
  ])('%s', (_name, held, wanted, why) => {
    if (why) expect(whyNotGrant(held, wanted)).toMatch(why)
    else expect(whyNotGrant(held, wanted)).toBeNull()
  })

  test('a person removes only roles that they hold, whatever the duration', () => {
    expect(whyNotRevoke([right({ role: 'admin', expiresAt: 5 })], right())).toBeNull()
    expect(whyNotRevoke([right({ role: 'admin' })], right({ environment: 'production' }))).toMatch(/in production/)
  })
})

describe('the last platform admin', () => {
  const admin = (personId: string, fields: Partial<Admin> = {}): Admin => ({
    personId,
    environment: 'sandbox',
    expiresAt: null,
    ...fields,
  })

  test.each<[string, Admin[], Admin[], RegExp | null]>([
    ['cannot go', [admin('a')], [], /last platform admin in sandbox/],
    ['may go where another stays', [admin('a'), admin('b')], [admin('b')], null],
    ['cannot get an end', [admin('a')], [admin('a', { expiresAt: 9 })], /last platform admin/],
    ['cannot leave only one whose role ends', [admin('a'), admin('b', { expiresAt: 9 })], [admin('b', { expiresAt: 9 })], /last/],
    ['who ends anyway cannot go either', [admin('a', { expiresAt: 9 })], [], /last/],
    ['of each environment counts', [admin('a'), admin('b', { environment: 'production' })], [admin('a')], /in production/],
    ['two grants of one person are one admin', [admin('a'), admin('a')], [], /last/],
    ['where there was none nothing is lost', [], [], null],
  ])('%s', (_name, before, after, why) => {
    if (why) expect(whyNoAdminLeft(before, after, environments)).toMatch(why)
    else expect(whyNoAdminLeft(before, after, environments)).toBeNull()
  })
})
