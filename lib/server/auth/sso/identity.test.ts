import { describe, expect, test } from 'vitest'
import { mergeClaims, parseIdentity } from './identity'

const ssoSettings = {
  rolesClaim: 'groups',
  roles: [
    { group: 'a', role: 'operator', environments: ['sandbox', 'production'] },
    { group: 'b', role: 'operator', environments: ['sandbox'] },
    { group: 'c', role: 'reviewer', environments: ['production'] },
  ],
} as const

const identityClaims = { iss: 'https://id.test', sub: '1' }
function parseRoles(claims: Record<string, unknown>, rolesClaim = 'groups'): string[] | string {
  const { roles } = parseIdentity({ ...identityClaims, ...claims }, { ...ssoSettings, rolesClaim })
  return typeof roles === 'string'
    ? roles
    : roles.map(({ role, environment }) => `${role} ${environment}`)
}

describe('roles', () => {
  test.each([
    ['a list', { groups: ['b', 'c', 'z'] }, ['operator sandbox', 'reviewer production']],
    ['one word', { groups: 'c' }, ['reviewer production']],
    [
      'two that are the same role',
      { groups: ['a', 'b'] },
      ['operator sandbox', 'operator production'],
    ],
    ['a list with what is no group', { groups: [7, null, { a: 1 }, 'c'] }, ['reviewer production']],
    ['an empty list', { groups: [] }, []],
    [
      'groups that are words of every object',
      { groups: ['constructor', '__proto__', 'toString'] },
      [],
    ],
  ])('come from groups in %s', (_what, claims, expected) => {
    expect(parseRoles(claims)).toEqual(expected)
  })

  test.each([
    ['they are left out', {}, 'not_told'],
    ['they are null', { groups: null }, 'not_told'],
    [
      'they are to be asked for elsewhere',
      { _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } },
      'elsewhere',
    ],
    ['there are too many for the token', { hasgroups: true }, 'elsewhere'],
    ['they are no list', { groups: { a: true } }, 'unreadable'],
  ])('are unknown, not empty, if %s', (_what, claims, fault) => {
    expect(parseRoles(claims)).toBe(fault)
  })

  test('are empty if no group is mapped to a role', () => {
    expect(parseIdentity(identityClaims, { ...ssoSettings, roles: [] }).roles).toEqual([])
  })

  test('are found under a claim with dots or a path, never under an Object property', () => {
    expect(
      parseRoles({ 'https://company.test/roles': ['c'] }, 'https://company.test/roles'),
    ).toEqual(['reviewer production'])
    expect(parseRoles({ realm_access: { roles: ['c'] } }, 'realm_access.roles')).toEqual([
      'reviewer production',
    ])
    expect(parseRoles({ realm_access: ['c'] }, 'realm_access.roles')).toBe('not_told')
    expect(parseRoles({}, 'constructor.name')).toBe('not_told')
  })
})

describe('an email address', () => {
  const parseEmail = (token: Record<string, unknown>, info: Record<string, unknown> = {}) =>
    parseIdentity(mergeClaims({ ...identityClaims, ...token }, { sub: '1', ...info }), ssoSettings)
      .email

  test.each([
    ['is taken where it is verified', { email: 'a@b.test', email_verified: true }, {}, 'a@b.test'],
    ['or is said to be in words', { email: 'a@b.test', email_verified: 'true' }, {}, 'a@b.test'],
    ['is none unverified', { email: 'a@b.test', email_verified: false }, {}, null],
    ['is none where that is not said', { email: 'a@b.test' }, {}, null],
    ['is none that is no address', { email: 'a', email_verified: true }, {}, null],
    ['comes from the user info', {}, { email: 'a@b.test', email_verified: true }, 'a@b.test'],
    [
      'of the token is not verified by the user info',
      { email: 'a@b.test' },
      { email: 'c@d.test', email_verified: true },
      null,
    ],
  ])('%s', (_what, token, info, expected) => {
    expect(parseEmail(token, info)).toBe(expected)
  })
})

test('unreadable claims count as missing, except issuer and subject', () => {
  expect(
    parseIdentity(
      { ...identityClaims, name: 7, email: [], auth_time: 'soon', email_verified: 'maybe' },
      ssoSettings,
    ),
  ).toEqual({
    issuer: 'https://id.test',
    subject: '1',
    email: null,
    name: null,
    roles: 'not_told',
    authenticatedAt: null,
  })
  expect(
    parseIdentity({ ...identityClaims, auth_time: 1_700_000_000 }, ssoSettings).authenticatedAt,
  ).toEqual(new Date(1_700_000_000_000))
  for (const bad of [{ sub: '' }, { sub: 7 }, { iss: null }, { sub: 'x'.repeat(256) }]) {
    expect(() => parseIdentity({ ...identityClaims, ...bad }, ssoSettings)).toThrow()
  }
})

describe('the user info', () => {
  test('adds claims that the token lacks', () => {
    expect(mergeClaims(identityClaims, { sub: '1', name: 'Ida', groups: ['a'] })).toMatchObject({
      ...identityClaims,
      name: 'Ida',
      groups: ['a'],
    })
    expect(
      mergeClaims({ ...identityClaims, name: 'Ida' }, { sub: '1', name: 'Other' }),
    ).toMatchObject({ name: 'Ida' })
    expect(mergeClaims(identityClaims, null)).toEqual(identityClaims)
  })

  test.each([{ sub: '2' }, { sub: 1 }, {}])('with another subject throws: %j', (info) => {
    expect(() =>
      mergeClaims(identityClaims, { email: 'admin@company.test', email_verified: true, ...info }),
    ).toThrow('of another person')
  })

  test('never sets the issuer, the subject or the authentication time, because it is not signed', () => {
    const mergedClaims = mergeClaims(
      { ...identityClaims },
      { sub: '1', iss: 'https://other.test', auth_time: 1_700_000_000 },
    )
    expect(parseIdentity(mergedClaims, ssoSettings)).toMatchObject({
      issuer: identityClaims.iss,
      subject: identityClaims.sub,
      authenticatedAt: null,
    })
  })
})
