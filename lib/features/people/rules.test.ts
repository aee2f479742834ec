import { describe, expect, test } from 'vitest'
import { environments } from '@/lib/operations/define'
import {
  type PlatformAdmin,
  type ScopedRight,
  whyNoAdminLeft,
  whyNotGrant,
  whyNotRevoke,
} from './rules'

const createRight = (fields: Partial<ScopedRight> = {}): ScopedRight => ({
  role: 'operator',
  environment: 'sandbox',
  accountId: null,
  expiresAt: null,
  ...fields,
})

describe('a person grants only what they hold', () => {
  test.each<[string, ScopedRight[], ScopedRight, RegExp | null]>([
    [
      'an admin every role',
      [createRight({ role: 'admin' })],
      createRight({ role: 'reviewer' }),
      null,
    ],
    ['an admin an admin', [createRight({ role: 'admin' })], createRight({ role: 'admin' }), null],
    [
      'the whole platform one account',
      [createRight({ role: 'admin' })],
      createRight({ accountId: 'a' }),
      null,
    ],
    [
      'a role that is held',
      [createRight({ role: 'reviewer' })],
      createRight({ role: 'reviewer' }),
      null,
    ],
    [
      'another environment',
      [createRight({ role: 'admin' })],
      createRight({ environment: 'production' }),
      /in production/,
    ],
    [
      'another role',
      [createRight({ role: 'reviewer' })],
      createRight({ role: 'operator' }),
      /role operator/,
    ],
    [
      'another account',
      [createRight({ role: 'admin', accountId: 'a' })],
      createRight({ accountId: 'b' }),
      /this account/,
    ],
    [
      'the whole platform from one account',
      [createRight({ role: 'admin', accountId: 'a' })],
      createRight(),
      /whole platform/,
    ],
    ['nothing held', [], createRight(), /do not hold/],
    [
      'longer than it is held',
      [createRight({ role: 'admin', expiresAt: 5 })],
      createRight({ expiresAt: 6 }),
      /for longer/,
    ],
    [
      'for good from what ends',
      [createRight({ role: 'admin', expiresAt: 5 })],
      createRight(),
      /for longer/,
    ],
    [
      'as long as it is held',
      [createRight({ role: 'admin', expiresAt: 5 })],
      createRight({ expiresAt: 5 }),
      null,
    ],
  ])('%s', (_name, held, wanted, why) => {
    if (why) expect(whyNotGrant(held, wanted)).toMatch(why)
    else expect(whyNotGrant(held, wanted)).toBeNull()
  })

  test('a person removes only roles that they hold, whatever the duration', () => {
    expect(whyNotRevoke([createRight({ role: 'admin', expiresAt: 5 })], createRight())).toBeNull()
    expect(
      whyNotRevoke([createRight({ role: 'admin' })], createRight({ environment: 'production' })),
    ).toMatch(/in production/)
  })
})

describe('the last platform admin', () => {
  const createAdmin = (personId: string, fields: Partial<PlatformAdmin> = {}): PlatformAdmin => ({
    personId,
    environment: 'sandbox',
    expiresAt: null,
    ...fields,
  })

  test.each<[string, PlatformAdmin[], PlatformAdmin[], RegExp | null]>([
    ['cannot go', [createAdmin('a')], [], /last platform admin in sandbox/],
    ['may go where another stays', [createAdmin('a'), createAdmin('b')], [createAdmin('b')], null],
    [
      'cannot get an end',
      [createAdmin('a')],
      [createAdmin('a', { expiresAt: 9 })],
      /last platform admin/,
    ],
    [
      'cannot leave only one whose role ends',
      [createAdmin('a'), createAdmin('b', { expiresAt: 9 })],
      [createAdmin('b', { expiresAt: 9 })],
      /last/,
    ],
    ['who ends anyway cannot go either', [createAdmin('a', { expiresAt: 9 })], [], /last/],
    [
      'of each environment counts',
      [createAdmin('a'), createAdmin('b', { environment: 'production' })],
      [createAdmin('a')],
      /in production/,
    ],
    ['two grants of one person are one admin', [createAdmin('a'), createAdmin('a')], [], /last/],
    ['where there was none nothing is lost', [], [], null],
  ])('%s', (_name, before, after, why) => {
    if (why) expect(whyNoAdminLeft(before, after, environments)).toMatch(why)
    else expect(whyNoAdminLeft(before, after, environments)).toBeNull()
  })
})
