import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InvitationLink, PersonDetail } from '@/lib/operations/people'
import { createIdempotencyKey, type Person, signIn } from './harness/person'
import { confirmGrantRequests } from './harness/second-admin'
import { openSharedDesk } from './harness/shared-desk'
import { createVisitor } from './harness/sign-in'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let admin: Person
let otherAdmin: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  admin = await testStack.signIn('admin')
  otherAdmin = await signIn(testStack.dashboard.url, 'admin2@paydesk.test')
})
afterAll(() => testStack?.stop())

const toJsonInit = (body: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const buildGrant = (role: string) => ({
  role,
  environment: 'sandbox',
  account: null,
  expires_at: null,
})

/** Invites a person, sets their password and signs them in. */
async function inviteAndSignIn(
  person: Person,
  email: `${string}@${string}`,
  role: string,
): Promise<{ id: string; session: Person }> {
  const { body } = await person.post<InvitationLink>(
    '/api/sandbox/desk/people',
    toJsonInit({ name: email, email, grants: [buildGrant(role)] }),
  )
  const { id = '', link = '', waiting = [] } = body.data ?? {}
  await confirmGrantRequests(testStack.dashboard.url, id, waiting)
  return { id, session: await signInByLink(link, email) }
}

/** Sets the password of an invited person with their link, and signs them in. */
async function signInByLink(link: string, email: `${string}@${string}`): Promise<Person> {
  const invitationToken = link.split('#')[1]
  const passwordResponse = await createVisitor(testStack.dashboard.url).send('/api/password', {
    method: 'POST',
    ...toJsonInit({ token: invitationToken, password: 'paydesk-demo' }),
  })
  expect(passwordResponse.status).toBeLessThan(300)
  return signIn(testStack.dashboard.url, email)
}

/**
 * Requests a release as one person and approves it as another. Returns the status and the error.
 */
async function requestAndApproveRelease(requester: Person, approver: Person) {
  const releaseReply = await requester.decide(
    'release',
    await testStack.sandbox.makePayout({ amount: 900_000 }),
    createIdempotencyKey(),
  )
  expect(releaseReply.status).toBe(202)
  const { status, body } = await approver.post(
    `/api/sandbox/desk/approvals/${releaseReply.body.action?.id}/approve`,
    toJsonInit({}),
  )
  return { status, why: body.error?.detail }
}

const expectedApprovalRefusal = {
  status: 403,
  why: expect.stringMatching(
    /^Within the last 7 days you were invited, or given your role, by the requester/,
  ),
}

test('an invited person cannot approve for the inviting admin for seven days, but can for others', async () => {
  const { id, session } = await inviteAndSignIn(admin, 'made-up@company.test', 'reviewer')
  expect(await requestAndApproveRelease(admin, session)).toMatchObject(expectedApprovalRefusal)
  expect((await requestAndApproveRelease(testStack.operator, session)).status).toBe(200)
  await testStack.db.query(
    "update people set invited_at = now() - interval '8 days' where id = $1",
    [id],
  )
  await testStack.db.query(
    "update grants set created_at = now() - interval '8 days' where person_id = $1",
    [id],
  )
  expect((await requestAndApproveRelease(admin, session)).status).toBe(200)
})

test('a person invited through an admin’s invitee, or with a role from that admin, cannot approve for them', async () => {
  const { session: middleAdmin } = await inviteAndSignIn(admin, 'between@company.test', 'admin')
  const { session } = await inviteAndSignIn(middleAdmin, 'made-up-too@company.test', 'reviewer')
  expect(await requestAndApproveRelease(admin, session)).toMatchObject(expectedApprovalRefusal)
  const { id, session: viewer } = await inviteAndSignIn(
    otherAdmin,
    'viewer-first@company.test',
    'viewer',
  )
  const grantReply = await admin.post<PersonDetail>(
    `/api/sandbox/desk/people/${id}/grants`,
    toJsonInit(buildGrant('reviewer')),
  )
  await confirmGrantRequests(
    testStack.dashboard.url,
    id,
    (grantReply.body.data?.grant_requests ?? []).map((request) => request.id),
  )
  expect(await requestAndApproveRelease(admin, viewer)).toMatchObject(expectedApprovalRefusal)
})

test('a person whose invitation link an admin created cannot approve for that admin', async () => {
  const email = 'taken-over@company.test'
  const inviteReply = await otherAdmin.post<InvitationLink>(
    '/api/sandbox/desk/people',
    toJsonInit({ name: email, email, grants: [buildGrant('reviewer')] }),
  )
  const { id = '', waiting = [] } = inviteReply.body.data ?? {}
  for (const request of waiting)
    await admin.post(
      `/api/sandbox/desk/people/${id}/grant-requests/${request}/confirm`,
      toJsonInit({}),
    )
  const { body } = await admin.post<InvitationLink>(
    `/api/sandbox/desk/people/${id}/link`,
    toJsonInit({}),
  )
  expect(
    await requestAndApproveRelease(admin, await signInByLink(body.data?.link ?? '', email)),
  ).toMatchObject(expectedApprovalRefusal)
})

test('the approver of an action cannot settle its unknown outcome', async () => {
  const payout = await testStack.sandbox.makePayout({ amount: 900_000 })
  await testStack.sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 500,
    body: 'none',
    count: 20,
  })
  const releaseReply = await testStack.operator.decide('release', payout, createIdempotencyKey())
  const actionId = releaseReply.body.action?.id ?? ''
  await admin.post(`/api/sandbox/desk/approvals/${actionId}/approve`, toJsonInit({}))
  await testStack.db.query(
    "update actions set state = 'needs_human', body = null, lease_owner = null, lease_until = null where id = $1",
    [actionId],
  )
  const recordOutcomeAs = (person: Person) =>
    person.ask(
      'POST',
      `/api/sandbox/desk/actions/${actionId}/decision`,
      toJsonInit({ outcome: 'refused', evidence: 'The provider confirmed in ticket 4711.' }),
    )
  expect(await recordOutcomeAs(admin)).toMatchObject({
    status: 403,
    body: { error: { detail: expect.stringMatching(/^You approved this action/) } },
  })
  expect((await recordOutcomeAs(otherAdmin)).status).toBe(200)
})
