import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditRow } from '@/lib/operations/audit'
import type { InvitationLink, PersonDetail, PersonView } from '@/lib/operations/people'
import type { Profile } from '@/lib/operations/profile'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { findFreePort } from './harness/free-port'
import {
  type IdentityProvider,
  signInBySso,
  startIdentityProvider,
} from './harness/identity-provider'
import { type MailSink, startMailSink } from './harness/mail-sink'
import { type Person, signIn } from './harness/person'
import { createVisitor } from './harness/sign-in'
import { waitUntil } from './harness/wait-until'

let idp: IdentityProvider
let ssoDashboard: Dashboard
let mailSink: MailSink
let admin: Person

beforeAll(async () => {
  const port = await findFreePort()
  mailSink = await startMailSink()
  idp = await startIdentityProvider({
    deskUrl: `http://127.0.0.1:${port}`,
    roles: 'payments-team=operator; cn=leads,ou=pay=admin@sandbox; owners=admin@production',
  })
  ssoDashboard = await startDashboard({
    serviceUrl: 'http://127.0.0.1:9',
    apiKey: 'key-of-this-test-0123456789',
    port,
    env: { ...idp.settings, ...mailSink.settings },
  })
  admin = await signIn(ssoDashboard.url, 'admin')
})
afterAll(async () => {
  await ssoDashboard?.stop()
  await idp?.stop()
  await mailSink?.stop()
})

const toJsonInit = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const readPeople = async () =>
  (await admin.get<PersonView[]>('/api/sandbox/desk/people')).body.data ?? []
const findPerson = async (email: string) =>
  (await readPeople()).find((person) => person.email === email)
const readGrantTexts = async (email: string) =>
  ((await findPerson(email))?.grants ?? [])
    .map(({ role, environment, from_sso }) => `${role} ${environment} ${from_sso}`)
    .sort()
const invitePerson = (email: string) =>
  admin.ask<InvitationLink>('POST', '/api/sandbox/desk/people', {
    ...toJsonInit({
      name: 'Ida',
      email,
      grants: [{ role: 'viewer', environment: 'sandbox', account: null, expires_at: null }],
    }),
  })
const readProfile = async ({ send }: { send: (path: string) => Promise<Response> }) =>
  ((await (await send('/api/sandbox/desk/profile')).json()) as { data: Profile }).data
const readAuditRows = async (code: string) =>
  (await admin.get<AuditRow[]>(`/api/sandbox/desk/audit?what=${code}`)).body.data ?? []

describe('a person who returns from the identity provider', () => {
  test('is created at the first sign-in with the roles of their groups, in the configured environments', async () => {
    const { sub, email, name } = idp.stranger({
      groups: ['payments-team', 'cn=leads,ou=pay', 'others'],
    })
    const ssoSignIn = await signInBySso(ssoDashboard.url, sub)
    expect([ssoSignIn.response.status, ssoSignIn.ok, ssoSignIn.location]).toEqual([
      302,
      true,
      `${ssoDashboard.url}/sign-in?sso=entered`,
    ])
    expect(await findPerson(email)).toMatchObject({ name, state: 'active', signs_in_by: ['sso'] })
    expect(await readGrantTexts(email)).toEqual([
      'admin sandbox true',
      'operator production true',
      'operator sandbox true',
    ])
    expect(await readProfile(ssoSignIn)).toMatchObject({ email, password: 'none' })
    expect((await waitUntil('a mail', () => mailSink.to(email)[0] ?? null)).subject).toBe(
      'Single sign-on for Paydesk',
    )
  })

  test('gets the roles of their groups at each sign-in, and keeps manually granted ones', async () => {
    const { sub, email } = idp.stranger({ groups: ['payments-team'] })
    await signInBySso(ssoDashboard.url, sub)
    const { id = '' } = (await findPerson(email)) ?? {}
    const viewerGrant = { role: 'viewer', environment: 'sandbox', account: null, expires_at: null }
    expect(
      (await admin.ask('POST', `/api/sandbox/desk/people/${id}/grants`, toJsonInit(viewerGrant)))
        .status,
    ).toBe(200)
    idp.tell({ sub, email, email_verified: true, groups: 'cn=leads,ou=pay' })
    await signInBySso(ssoDashboard.url, sub)
    expect(await readGrantTexts(email)).toEqual(['admin sandbox true', 'viewer sandbox false'])
    idp.tell({ sub, email, email_verified: true, groups: [] })
    await signInBySso(ssoDashboard.url, sub)
    expect(await readGrantTexts(email)).toEqual(['viewer sandbox false'])
  })

  test.each([
    ['left out', {}, 'not_told'],
    ['in a form nobody reads', { groups: { odd: true } }, 'unreadable'],
  ])(
    'keeps group roles if the groups are %s, which the person’s page, log and audit show',
    async (_how, groups, fault) => {
      const { groups: _told, ...person } = idp.stranger({ groups: ['cn=leads,ou=pay'] })
      await signInBySso(ssoDashboard.url, person.sub)
      idp.tell({ ...person, ...groups })
      expect((await signInBySso(ssoDashboard.url, person.sub)).ok).toBe(true)
      expect(await readGrantTexts(person.email)).toEqual(['admin sandbox true'])
      expect(await findPerson(person.email)).toMatchObject({ groups_fault: fault })
      expect(ssoDashboard.log()).toContain(`"event":"sso.groups_unknown","code":"${fault}"`)
      expect((await readAuditRows('people.follow_sso_groups'))[0]).toMatchObject({
        what: 'Follow the groups of single sign-on: refused',
      })
      idp.tell({ ...person, groups: ['cn=leads,ou=pay'] })
      await signInBySso(ssoDashboard.url, person.sub)
      expect(await findPerson(person.email)).toMatchObject({ groups_fault: null })
    },
  )

  test('is refused if the user info belongs to another person', async () => {
    const otherPersonClaims = idp.stranger({ groups: ['cn=leads,ou=pay'] })
    const { sub } = idp.stranger({ email: undefined })
    idp.answerInfo(otherPersonClaims)
    const mismatchedSignIn = await signInBySso(ssoDashboard.url, sub)
    idp.answerInfo(null)
    expect([mismatchedSignIn.ok, mismatchedSignIn.location]).toEqual([false, '/sign-in?sso=failed'])
    expect(await findPerson(otherPersonClaims.email)).toBeUndefined()
  })

  test('keeps the last admin role of an environment until there is another admin', async () => {
    const ownerClaims = idp.stranger({ groups: ['owners'] })
    const claimsWithoutGroups = { ...ownerClaims, groups: [] }
    await signInBySso(ssoDashboard.url, ownerClaims.sub)
    idp.tell(claimsWithoutGroups)
    await signInBySso(ssoDashboard.url, ownerClaims.sub)
    expect(await readGrantTexts(ownerClaims.email)).toEqual(['admin production true'])
    await signInBySso(ssoDashboard.url, idp.stranger({ groups: ['owners'] }).sub)
    await signInBySso(ssoDashboard.url, ownerClaims.sub)
    expect(await readGrantTexts(ownerClaims.email)).toEqual([])
  })

  test('is matched by verified address with an existing person, whose invitation link expires', async () => {
    const { sub, email } = idp.stranger()
    const { body } = await invitePerson(email.toUpperCase())
    expect((await signInBySso(ssoDashboard.url, sub)).ok).toBe(true)
    expect(
      (await readPeople()).filter((person) => person.email.toLowerCase() === email),
    ).toHaveLength(1)
    const passwordResponse = await createVisitor(ssoDashboard.url).send(
      '/api/password',
      toJsonInit({ token: body.data?.link.split('#')[1], password: 'kettle orbit plum tree 9' }),
    )
    expect(passwordResponse.status).toBe(409)
    const passwordLinkReply = await admin.ask(
      'POST',
      `/api/sandbox/desk/people/${body.data?.id}/link`,
      toJsonInit({}),
    )
    expect([passwordLinkReply.status, passwordLinkReply.body.error?.detail]).toEqual([
      409,
      expect.stringContaining('can sign in already'),
    ])
  })

  test.each([
    ['nobody knows and no group is a role of', {}],
    ['no address is verified of', { email_verified: false, groups: ['payments-team'] }],
    ['no address is told of', { email: undefined, groups: ['payments-team'] }],
    [
      'an address of the demo is claimed by',
      { email: 'admin@paydesk.test', groups: ['payments-team'] },
    ],
  ])('is refused as a person whom %s', async (_what, claims) => {
    const peopleCountBefore = (await readPeople()).length
    const refusedSignIn = await signInBySso(ssoDashboard.url, idp.stranger(claims).sub)
    expect([refusedSignIn.ok, refusedSignIn.location]).toEqual([false, '/sign-in?sso=refused'])
    expect(await readPeople()).toHaveLength(peopleCountBefore)
  })

  test('is refused if the address belongs to another person of the provider', async () => {
    const firstClaims = idp.stranger({ groups: ['payments-team'] })
    await signInBySso(ssoDashboard.url, firstClaims.sub)
    const secondClaims = idp.stranger({ email: firstClaims.email, groups: ['payments-team'] })
    expect((await signInBySso(ssoDashboard.url, secondClaims.sub)).location).toBe(
      '/sign-in?sso=refused',
    )
  })

  test('is refused after deactivation, which also ends their sessions', async () => {
    const { sub, email } = idp.stranger({ groups: ['cn=leads,ou=pay'] })
    const { send } = await signInBySso(ssoDashboard.url, sub)
    const { id = '' } = (await findPerson(email)) ?? {}
    expect((await send('/api/session')).status).toBe(204)
    expect(
      (await admin.ask('POST', `/api/sandbox/desk/people/${id}/deactivate`, toJsonInit({}))).status,
    ).toBe(200)
    await waitUntil('the session has ended', async () =>
      (await send('/api/session')).status === 401 ? true : null,
    )
    expect((await signInBySso(ssoDashboard.url, sub)).location).toBe('/sign-in?sso=refused')
  })

  test('keeps a group role until the group is removed, and it cannot be removed manually', async () => {
    const { sub, email } = idp.stranger({ groups: ['payments-team'] })
    await signInBySso(ssoDashboard.url, sub)
    const { id = '', grants = [] } = (await findPerson(email)) ?? {}
    const deleteReply = await admin.ask<PersonDetail>(
      'DELETE',
      `/api/sandbox/desk/people/${id}/grants/${grants[0]?.id}`,
    )
    expect([deleteReply.status, deleteReply.body.error?.detail]).toEqual([
      403,
      expect.stringContaining('change the group there'),
    ])
  })
})

test('a sign-in is audited with creation, grants and refusal', async () => {
  const { sub } = idp.stranger({ groups: ['cn=leads,ou=pay'] })
  await signInBySso(ssoDashboard.url, sub)
  await signInBySso(ssoDashboard.url, idp.stranger().sub)
  const rowsByAuditCode = await Promise.all(
    ['people.make_by_sso', 'people.grant_by_sso', 'session.sign_in'].map(readAuditRows),
  )
  expect(rowsByAuditCode.map(([row]) => row?.what)).toEqual([
    'Create a person at their first single sign-on: applied',
    'Grant a role by a group of single sign-on: applied',
    'Sign in: refused',
  ])
})

test('two concurrent first sign-ins create one person', async () => {
  const { sub, email } = idp.stranger({ groups: ['payments-team'] })
  const concurrentSignIns = await Promise.all([
    signInBySso(ssoDashboard.url, sub),
    signInBySso(ssoDashboard.url, sub),
  ])
  expect(concurrentSignIns.map(({ ok }) => ok)).toEqual([true, true])
  expect((await readPeople()).filter((person) => person.email === email)).toHaveLength(1)
})
