import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InvitationLink } from '@/lib/operations/people'
import type { Profile, SessionTimeLeft } from '@/lib/operations/profile'
import type { Person } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import { createVisitor, trySignIn } from './harness/sign-in'
import { waitUntil } from './harness/wait-until'
import type { WholeDesk } from './harness/whole-desk'

const profilePath = '/api/sandbox/desk/profile'
const [firstPassword, secondPassword] = ['marble tractor violin 7', 'kettle orbit plum tree 9']
const firefoxUserAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

let testStack: WholeDesk
let admin: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  admin = await testStack.signIn('admin')
})
afterAll(() => testStack?.stop())

const toJsonInit = (body: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/**
 * Creates a person with a password. Returns the person's id, and the function `enter`, which signs
 * the person in.
 */
async function createPerson(name: string) {
  const email = `${name}@company.test`
  const grants = [{ role: 'viewer', environment: 'sandbox', account: null, expires_at: null }]
  const { body } = await admin.ask<InvitationLink>(
    'POST',
    '/api/sandbox/desk/people',
    toJsonInit({ name, email, grants }),
  )
  const { link = '', id = '' } = body.data ?? {}
  const invitationToken = new URL(link).hash.slice(1)
  await createVisitor(testStack.dashboard.url).send('/api/password', {
    method: 'POST',
    ...toJsonInit({ token: invitationToken, password: firstPassword }),
  })
  const signInWithPassword = async (password = firstPassword) => {
    const { ok, send } = await trySignIn(testStack.dashboard.url, email, password, {
      'user-agent': firefoxUserAgent,
    })
    const sendRequest = async (method: string, subpath: string, requestBody?: object) => {
      const response = await send(`${profilePath}${subpath}`, {
        method,
        ...(requestBody ? toJsonInit(requestBody) : {}),
      })
      return { status: response.status, body: await response.json() }
    }
    const readAccountsStatus = async () => (await send('/api/sandbox/v1/accounts')).status
    return {
      ok,
      ask: sendRequest,
      status: readAccountsStatus,
      profile: async () => (await sendRequest('GET', '')).body.data as Profile,
    }
  }
  return { id, enter: signInWithPassword }
}

const readProfileAuditCodes = async (id: string) =>
  (await testStack.db.query<{ body: string }>('select body from audit order by 1')).rows
    .map(({ body }) => JSON.parse(body))
    .filter(({ actor, code }) => actor === id && code.startsWith('profile.'))
    .map(({ code }) => code)

describe('my sessions', () => {
  test('show the browser and system family, and which one is current', async () => {
    const { enter } = await createPerson('stella')
    const [currentSession] = [await enter(), await enter()]
    const { sessions, grants, password } = await currentSession.profile()
    expect(sessions.map(({ current, browser, system }) => [current, browser, system])).toEqual([
      [true, 'Firefox', 'Linux'],
      [false, 'Firefox', 'Linux'],
    ])
    expect([password, grants.map(({ role }) => role)]).toEqual(['own', ['viewer']])
    expect(JSON.stringify((await testStack.db.query('select * from sessions')).rows)).not.toContain(
      'Mozilla',
    )
  })

  test('can be ended singly, all others or all, within a second', async () => {
    const { id, enter } = await createPerson('sven')
    const [here, secondSession, thirdSession, fourthSession] = [
      await enter(),
      await enter(),
      await enter(),
      await enter(),
    ]
    const otherSession = (await here.profile()).sessions.find(({ current }) => !current)
    expect((await here.ask('DELETE', `/sessions/${otherSession?.id}`, {})).status).toBe(200)
    expect((await here.ask('DELETE', `/sessions/${otherSession?.id}`, {})).status).toBe(409)
    expect((await here.profile()).sessions).toHaveLength(3)
    expect((await here.ask('POST', '/sessions/end', { which: 'others' })).body.data).toEqual({
      ended: 2,
    })
    const startedAt = performance.now()
    for (const endedSession of [secondSession, thirdSession, fourthSession])
      await waitUntil('the session to be refused', async () =>
        (await endedSession.status()) === 401 ? true : null,
      )
    expect(performance.now() - startedAt).toBeLessThan(1500)
    expect(await here.status()).toBe(200)
    expect((await here.ask('POST', '/sessions/end', { which: 'all' })).body.data).toEqual({
      ended: 1,
    })
    expect(await here.status()).toBe(401)
    expect((await readProfileAuditCodes(id)).sort()).toEqual([
      'profile.end_session.applied',
      'profile.end_sessions.applied',
      'profile.end_sessions.applied',
    ])
  })

  test('that are idle for 15 minutes do not count as ended, and cannot be ended', async () => {
    const { id, enter } = await createPerson('signe')
    const requestingSession = await enter()
    await enter()
    await enter()
    const [idleSession] = (await requestingSession.profile()).sessions.filter(
      ({ current }) => !current,
    )
    await testStack.db.query(
      `update sessions set last_seen_at = now() - interval '16 minutes' where person_id = $1 and id_hash like $2`,
      [id, `${idleSession?.id}%`],
    )
    expect((await requestingSession.ask('DELETE', `/sessions/${idleSession?.id}`, {})).status).toBe(
      409,
    )
    expect(
      (await requestingSession.ask('POST', '/sessions/end', { which: 'others' })).body.data,
    ).toEqual({
      ended: 1,
    })
  })

  test('cannot be ended by another person', async () => {
    const [ownSession, otherPersonSession] = [
      await (await createPerson('tara')).enter(),
      await (await createPerson('timo')).enter(),
    ]
    const otherPersonSessionId = (await otherPersonSession.profile()).sessions[0]?.id
    expect((await ownSession.ask('DELETE', `/sessions/${otherPersonSessionId}`, {})).status).toBe(
      409,
    )
    expect(await otherPersonSession.status()).toBe(200)
  })

  test('report their remaining time, which only staying signed in extends', async () => {
    const { id, enter } = await createPerson('ulla')
    const session = await enter()
    await testStack.db.query(
      `update sessions set last_seen_at = now() - interval '14 minutes' where person_id = $1`,
      [id],
    )
    const requestSessionTimeLeft = async (method: string, subpath: string) =>
      (await session.ask(method, subpath)).body.data as SessionTimeLeft
    for (let times = 0; times < 2; times += 1) {
      const { idle_in, ends_in } = await requestSessionTimeLeft('GET', '/session')
      expect([idle_in <= 60, ends_in > 7.9 * 3600]).toEqual([true, true])
    }
    expect((await requestSessionTimeLeft('POST', '/session/stay')).idle_in).toBeGreaterThan(890)
  })
})

describe('my password', () => {
  test('is changed with the old one, which ends other sessions and is audited without passwords', async () => {
    const { id, enter } = await createPerson('vera')
    const [here, other] = [await enter(), await enter()]
    const changePassword = (oldPassword: string, password: string) =>
      here.ask('POST', '/password', { old: oldPassword, password })
    const readPasswordRefusal = async (oldPassword: string, password: string) => {
      const { status, body } = await changePassword(oldPassword, password)
      return [status, body.error.items[0].reference]
    }
    expect(await readPasswordRefusal('not this one', secondPassword)).toEqual([422, 'old'])
    expect(await readPasswordRefusal(firstPassword, 'Password2024!')).toEqual([422, 'password'])
    expect(await readPasswordRefusal(firstPassword, firstPassword)).toEqual([422, 'password'])
    expect((await changePassword(firstPassword, secondPassword)).body.data).toEqual({ ended: 1 })
    await waitUntil('the other session to be refused', async () =>
      (await other.status()) === 401 ? true : null,
    )
    expect([
      await here.status(),
      (await enter(firstPassword)).ok,
      (await enter(secondPassword)).ok,
    ]).toEqual([200, false, true])
    expect((await readProfileAuditCodes(id)).sort()).toEqual([
      'profile.change_password.applied',
      'profile.change_password.refused',
    ])
    const auditAndLogText =
      (await testStack.db.query('select body from audit')).rows
        .map((row) => JSON.stringify(row))
        .join() + testStack.dashboard.log()
    expect(
      [firstPassword, secondPassword, 'not this one'].filter((text) =>
        auditAndLogText.includes(text),
      ),
    ).toEqual([])
  })

  test('has a limit of ten wrong attempts', async () => {
    const session = await (await createPerson('walt')).enter()
    const wrongPasswordStatuses: number[] = []
    for (let n = 0; n < 11; n += 1)
      wrongPasswordStatuses.push(
        (await session.ask('POST', '/password', { old: `wrong ${n}`, password: secondPassword }))
          .status,
      )
    expect(wrongPasswordStatuses).toEqual([...Array(10).fill(422), 429])
    expect(
      (await session.ask('POST', '/password', { old: firstPassword, password: secondPassword }))
        .status,
    ).toBe(429)
  })

  test('cannot be changed by a demo user', async () => {
    const { status, body } = await admin.ask(
      'POST',
      `${profilePath}/password`,
      toJsonInit({ old: 'paydesk-demo', password: secondPassword }),
    )
    expect([status, body.error?.detail]).toEqual([403, expect.stringContaining('everybody knows')])
  })
})
