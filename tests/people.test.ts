import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GrantView, InvitationLink } from '@/lib/operations/people'
import {
  createPeopleHelpers,
  goodPassword,
  peoplePath,
  readInvitationToken,
  toJsonInit,
  viewerGrant,
} from './harness/people'
import type { Person } from './harness/person'
import { confirmGrantRequests } from './harness/second-admin'
import { openSharedDesk } from './harness/shared-desk'
import { createVisitor, trySignIn } from './harness/sign-in'
import { waitUntil } from './harness/wait-until'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let admin: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  admin = await testStack.signIn('admin')
})
afterAll(() => testStack?.stop())

const {
  postJson,
  invitePerson,
  setPassword,
  createConfirmedInvitation,
  createSignedInPerson,
  listPeople,
  findPersonId,
} = createPeopleHelpers(() => ({ dashboardUrl: testStack.dashboard.url, admin }))

describe('an invitation', () => {
  test('sets a password once and gives access', async () => {
    const { id, token, link } = await createConfirmedInvitation('ines')
    expect([new URL(link).pathname, new URL(link).search, token.length]).toEqual([
      '/welcome',
      '',
      43,
    ])
    expect((await listPeople()).find((person) => person.id === id)).toMatchObject({
      state: 'invited',
      last_seen_at: null,
    })
    expect((await trySignIn(testStack.dashboard.url, 'ines@company.test', goodPassword)).ok).toBe(
      false,
    )
    expect((await setPassword(token)).status).toBe(200)
    expect((await setPassword(token, 'another marble violin')).status).toBe(409)
    expect((await trySignIn(testStack.dashboard.url, 'ines@company.test', goodPassword)).ok).toBe(
      true,
    )
    expect((await listPeople()).find((person) => person.id === id)?.state).toBe('active')
  })

  test('can be checked without a password, and a used one is refused', async () => {
    const { token } = await createConfirmedInvitation('checked')
    const checkLink = () =>
      createVisitor(testStack.dashboard.url).send('/api/password', {
        method: 'POST',
        ...toJsonInit({ token }),
      })
    expect([(await checkLink()).status, (await checkLink()).status]).toEqual([200, 200])
    expect((await setPassword(token)).status).toBe(200)
    const usedReply = await checkLink()
    expect(usedReply.status).toBe(409)
    expect(await usedReply.text()).toContain('used already or has expired')
  })

  test('that is used concurrently succeeds once', async () => {
    const { token } = await createConfirmedInvitation('race')
    const passwordResponses = await Promise.all(
      ['one', 'two', 'three'].map((word) => setPassword(token, `${goodPassword} ${word}`)),
    )
    expect(passwordResponses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('expires after 72 hours by the clock of the store, and when another one is created', async () => {
    const { id, token } = await createConfirmedInvitation('late')
    const { rows } = await testStack.db.query(
      `select extract(epoch from expires_at - created_at) / 3600 as hours from one_time_links where person_id = $1`,
      [id],
    )
    expect(rows.map(({ hours }) => Number(hours))).toEqual([72])
    await testStack.db.query(
      `update one_time_links set expires_at = now() - interval '1 second' where person_id = $1`,
      [id],
    )
    expect((await setPassword(token)).status).toBe(409)
    const replacedToken = readInvitationToken(
      (await postJson<InvitationLink>(`/${id}/link`)).body.data as InvitationLink,
    )
    const currentToken = readInvitationToken(
      (await postJson<InvitationLink>(`/${id}/link`)).body.data as InvitationLink,
    )
    expect((await setPassword(replacedToken)).status).toBe(409)
    expect((await setPassword(currentToken)).status).toBe(200)
    expect((await postJson(`/${id}/link`)).status).toBe(409)
  })

  test('rejects a weak password, and can be used afterwards', async () => {
    const { token } = await createConfirmedInvitation('weak')
    for (const password of ['short', 'Password2024!', 'x'.repeat(129)]) {
      const response = await setPassword(token, password)
      expect([response.status, await response.text()]).toEqual([
        422,
        expect.stringContaining('"reference":"password"'),
      ])
    }
    expect((await setPassword(token)).status).toBe(200)
  })

  test('to a known address in any case is rejected, and only an admin can create one', async () => {
    await createConfirmedInvitation('twice')
    expect(
      (await invitePerson('Other', { email: 'TWICE@company.test' })).body.error?.items,
    ).toMatchObject([{ reference: 'email' }])
    for (const role of ['operator', 'reviewer', 'viewer'] as const) {
      const person = await testStack.signIn(role)
      expect((await invitePerson('nobody', {}, person)).status).toBe(403)
      expect((await person.get(peoplePath)).status).toBe(403)
    }
    expect((await setPassword('a'.repeat(43))).status).toBe(409)
    expect((await setPassword('short')).status).toBe(400)
  })

  test('leaves no token, hash, address or password in an audit row or the log', async () => {
    const { id, token } = await createConfirmedInvitation('secretive')
    await setPassword(token)
    const { rows } = await testStack.db.query<{ body: string }>(
      'select body from audit order by seq',
    )
    const auditAndLogText = rows.map(({ body }) => body).join('\n') + testStack.dashboard.log()
    expect(
      [token, 'secretive@', goodPassword].filter((text) => auditAndLogText.includes(text)),
    ).toEqual([])
    const personAuditRows = rows
      .map(({ body }) => JSON.parse(body))
      .filter(({ subject, actor }) => subject === id || actor === id)
    expect(personAuditRows.map(({ code }) => code)).toEqual([
      'people.invite.applied',
      'people.grant.applied',
      'people.set_password.applied',
    ])
  })
})

/** Grants a role as one admin and confirms it as the other. */
async function grantAndConfirmRole(id: string, fields: object) {
  const grantReply = await postJson(`/${id}/grants`, { ...viewerGrant, ...fields })
  const grantRequestIds = (grantReply.body.data?.grant_requests ?? []).map((request) => request.id)
  return confirmGrantRequests(testStack.dashboard.url, id, grantRequestIds)
}

const deleteGrant = (personId: string, grantId: string | undefined) =>
  admin.ask('DELETE', `${peoplePath}/${personId}/grants/${grantId}`, toJsonInit({}))

describe('grants', () => {
  test('are added, changed and removed with immediate effect', async () => {
    const person = await createSignedInPerson('greta')
    expect(await person.status()).toBe(200)
    const startedAt = performance.now()
    const currentGrant = (await listPeople()).find(({ id }) => id === person.id)
      ?.grants[0] as GrantView
    expect((await deleteGrant(person.id, currentGrant.id)).status).toBe(200)
    await waitUntil('the grant to be gone', async () =>
      (await person.status()) === 403 ? true : null,
    )
    expect(performance.now() - startedAt).toBeLessThan(5000)
    const expiryTime = new Date(Date.now() + 3_600_000).toISOString()
    const updatedPerson = await grantAndConfirmRole(person.id, {
      role: 'operator',
      expires_at: expiryTime,
    })
    expect(updatedPerson?.grants).toMatchObject([
      { role: 'operator', expires_at: expiryTime, granted_by: 'Dana Admin', expired: false },
    ])
    expect((await grantAndConfirmRole(person.id, { role: 'operator' }))?.grants).toMatchObject([
      { role: 'operator', expires_at: null },
    ])
    await waitUntil('the grant to be there', async () =>
      (await person.status()) === 200 ? true : null,
    )
  })

  test('cannot be given by a person who does not hold them, nor changed for oneself', async () => {
    const adminId = await findPersonId('admin@paydesk.test')
    const viewerId = await findPersonId('viewer@paydesk.test')
    expect(
      (await postJson(`/${viewerId}/grants`, { ...viewerGrant, environment: 'production' })).body
        .error?.detail,
    ).toMatch(/in production/)
    expect(
      (await invitePerson('far', { grants: [{ ...viewerGrant, environment: 'production' }] }))
        .status,
    ).toBe(403)
    expect(await findPersonId('far@company.test')).toBe('')
    expect(
      (await postJson(`/${adminId}/grants`, { ...viewerGrant, role: 'reviewer' })).status,
    ).toBe(403)
    const adminGrantId = (await listPeople()).find(({ id }) => id === adminId)?.grants[0]?.id
    expect((await deleteGrant(adminId, adminGrantId)).status).toBe(403)
    expect((await postJson(`/${adminId}/deactivate`)).status).toBe(403)
    const pastTime = new Date(Date.now() - 1000).toISOString()
    expect(
      (await postJson(`/${viewerId}/grants`, { ...viewerGrant, expires_at: pastTime })).status,
    ).toBe(422)
  })
})

describe('a deactivated person', () => {
  test('is signed out within a second, and can return after activation', async () => {
    const person = await createSignedInPerson('gone')
    expect((await postJson(`/${person.id}/deactivate`)).body.data).toMatchObject({
      state: 'deactivated',
      sessions: [],
    })
    const waitStartedAt = performance.now()
    await waitUntil('the session to be refused', async () =>
      (await person.status()) === 401 ? true : null,
    )
    expect(performance.now() - waitStartedAt).toBeLessThan(1500)
    expect((await trySignIn(testStack.dashboard.url, 'gone@company.test', goodPassword)).ok).toBe(
      false,
    )
    expect((await postJson(`/${person.id}/deactivate`)).status).toBe(409)
    expect((await postJson(`/${person.id}/activate`)).body.data?.state).toBe('active')
    expect(await person.status()).toBe(401)
    expect((await trySignIn(testStack.dashboard.url, 'gone@company.test', goodPassword)).ok).toBe(
      true,
    )
  })

  test('can sign in again if only the sessions were ended', async () => {
    const person = await createSignedInPerson('again')
    expect((await postJson(`/${person.id}/sessions/end`)).body.data?.sessions).toEqual([])
    await waitUntil('the session to be refused', async () =>
      (await person.status()) === 401 ? true : null,
    )
    expect((await trySignIn(testStack.dashboard.url, 'again@company.test', goodPassword)).ok).toBe(
      true,
    )
  })
})
