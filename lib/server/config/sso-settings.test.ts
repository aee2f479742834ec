import { expect, test } from 'vitest'
import { parseEnv } from './env'

const validEnv = {
  SERVICE_SANDBOX_URL: 'https://api.provider.test',
  SERVICE_SANDBOX_API_KEY: 'key-0123456789-0123456789',
  APP_ORIGIN: 'https://desk.company.test',
  AUTH_SECRET: '0123456789abcdef0123456789abcdef',
  ENCRYPTION_KEY: 'fedcba9876543210fedcba9876543210',
}
const discoveryUrl = 'https://id.company.test/.well-known/openid-configuration'
const ssoEnv = {
  ...validEnv,
  OIDC_DISCOVERY_URL: discoveryUrl,
  OIDC_CLIENT_ID: 'paydesk',
  OIDC_CLIENT_SECRET: 'a secret',
}

const listErrorLines = (overrides: Record<string, string | undefined>) => {
  try {
    parseEnv({ ...ssoEnv, ...overrides })
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

test('without its settings there is no single sign-on', () => {
  expect(parseEnv(validEnv).sso).toBeNull()
})

test('groups may contain commas and equals signs, and each role applies to one or all environments', () => {
  expect(
    parseEnv({ ...ssoEnv, OIDC_ROLES: ' pay team = operator; cn=leads,ou=pay=admin@sandbox; ' })
      .sso,
  ).toEqual({
    discoveryUrl: discoveryUrl,
    clientId: 'paydesk',
    clientSecret: 'a secret',
    name: 'single sign-on',
    scope: 'openid email profile',
    rolesClaim: 'groups',
    roles: [
      { group: 'pay team', role: 'operator', environments: ['sandbox', 'production'] },
      { group: 'cn=leads,ou=pay', role: 'admin', environments: ['sandbox'] },
    ],
    idTokenAlg: 'RS256',
  })
})

test.each([
  ['OIDC_DISCOVERY_URL', 'https://id.company.test'],
  ['OIDC_DISCOVERY_URL', discoveryUrl.replace('https', 'http')],
  ['OIDC_DISCOVERY_URL', `${discoveryUrl}?tenant=1`],
  ['OIDC_DISCOVERY_URL', discoveryUrl.replace('//', '//user:word@')],
  ['OIDC_DISCOVERY_URL', 'nonsense'],
  ['OIDC_CLIENT_ID', undefined],
  ['OIDC_CLIENT_SECRET', undefined],
  ['OIDC_DISCOVERY_URL', undefined],
  ['OIDC_SCOPE', 'email profile'],
  ['OIDC_SCOPE', 'openid  email'],
  ['OIDC_ROLES', 'team=owner'],
  ['OIDC_ROLES', 'team=admin@everywhere'],
  ['OIDC_ROLES', '=admin'],
  ['OIDC_ID_TOKEN_ALG', 'none'],
  ['OIDC_ID_TOKEN_ALG', 'HS256'],
])('the error about %s=%s is one line with its name', (name, value) => {
  expect(listErrorLines({ [name]: value })).toEqual([
    expect.stringMatching(new RegExp(`^${name}: must `)),
  ])
})

test('a discovery document on this machine may use plain HTTP', () => {
  expect(
    listErrorLines({
      OIDC_DISCOVERY_URL: 'http://127.0.0.1:4020/.well-known/openid-configuration',
    }),
  ).toEqual([])
})

test('group roles without a provider are rejected', () => {
  expect(() => parseEnv({ ...validEnv, OIDC_ROLES: 'team=admin' })).toThrow(
    /OIDC_DISCOVERY_URL: must be set as well/,
  )
})
