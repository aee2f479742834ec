import { randomUUID } from 'node:crypto'
import { type APIRequest, type APIRequestContext, type APIResponse, expect, type Page } from '@playwright/test'
import type { WireError } from '@/lib/errors'
import type { Role } from '@/lib/operations/define'
import { toApiRequest } from '@/lib/operations/http'
import type { InvitationLink } from '@/lib/operations/people'
import { authApiPath, passwordApiPath } from '@/lib/routes'

type StorageState = Awaited<ReturnType<APIRequestContext['storageState']>>

/** A person that a test created, and the state (cookies) of their session. */
export type Person = { name: string; email: string; state: StorageState }

/** The password of the demo people and of all people that tests create. */
export const password = 'paydesk-demo'

export const emailOf = (role: Role) => `${role}@paydesk.test`

const firstNames: Readonly<Record<Role, string>> = { admin: 'Alma', operator: 'Otto', reviewer: 'Rosa', viewer: 'Vera' }

/** A desk, and the means to send requests to it without a browser. */
export type Desk = { request: APIRequest; url: string }

const createApiContext = ({ request, url }: Desk, state?: StorageState) =>
  request.newContext({ baseURL: url, extraHTTPHeaders: { origin: url }, ...(state && { storageState: state }) })

/** Signs a person in as the form does, and returns the session's state. Tries again while the desk is busy with other sign-ins. */
export async function signInByEmail(desk: Desk, email: string): Promise<StorageState> {
  const api = await createApiContext(desk)
  const { csrfToken } = (await (await api.get(authApiPath('csrf'))).json()) as { csrfToken: string }
  const form = { csrfToken, email, password, json: 'true' }
  let status = 0
  const sendSignIn = async () => {
    status = (await api.post(authApiPath('callback/credentials'), { form })).status()
    return status
  }
  await expect.poll(sendSignIn, { message: `the desk has room for the sign-in of ${email}` }).not.toBe(503)
  expect(status, `${email} signs in`).toBe(200)
  const state = await api.storageState()
  await api.dispose()
  return state
}

/** Confirms the password in this session. The confirmation is valid for five minutes, except for writes that require their own proof. */
export async function confirmPassword(api: APIRequestContext, deskUrl: string): Promise<void> {
  const postToDesk = (path: string, data: object) => api.post(`${deskUrl}/api/sandbox/desk${path}`, { headers: { origin: deskUrl }, data })
  const refusedBody = (await (await postToDesk('/factors/totp/begin', {})).json()) as { error: WireError }
  await postToDesk(`/step-ups/${refusedBody.error.step_up?.challenge}`, { method: 'password', password })
}

type Send = (headers: Record<string, string>) => Promise<APIResponse>

/** Sends a request without a page. If it requires step-up, confirms the password and sends it again. */
export async function sendConfirmed(api: APIRequestContext, deskUrl: string, send: Send): Promise<APIResponse> {
  const answer = await send({})
  if (answer.status() !== 403) return answer
  const { error } = (await answer.json()) as { error: WireError }
  if (!error.step_up) return answer
  const stepUpUrl = `${deskUrl}/api/sandbox/desk/step-ups/${error.step_up.challenge}`
  await api.post(stepUpUrl, { headers: { origin: deskUrl }, data: { method: 'password', password } })
  return send({ 'step-up': error.step_up.challenge })
}

/** Signs in a demo admin without a browser. Its `send` confirms the password if a request requires it. */
async function signInAdmin(desk: Desk, email: string) {
  const state = await signInByEmail(desk, email)
  const api = await createApiContext(desk, state)

  async function send<T>(id: 'people.invite' | 'people.confirm_grant', input: Record<string, unknown>, status: number): Promise<T> {
    const { url } = toApiRequest(id, input, { environment: 'sandbox' })
    const data = id === 'people.invite' ? input : {}
    const answer = await sendConfirmed(api, desk.url, (headers) => api.post(url, { headers, data }))
    expect(answer.status(), await answer.text()).toBe(status)
    return ((await answer.json()) as { data: T }).data
  }

  return { state, api, send }
}

/**
 * Returns `invite`, which creates a person: one demo admin invites, another confirms the role, and the invitation link sets the password.
 */
export async function createInviter(desk: Desk) {
  const [admin, other] = await Promise.all([signInAdmin(desk, emailOf('admin')), signInAdmin(desk, 'admin2@paydesk.test')])

  async function invitePerson(role: Role): Promise<Person> {
    const uniqueTag = randomUUID().slice(0, 8)
    const [name, email] = [`${firstNames[role]} ${uniqueTag}`, `${firstNames[role].toLowerCase()}.${uniqueTag}@company.test`]
    const data = { name, email, grants: [{ role, environment: 'sandbox', account: null, expires_at: null }] }
    const { id, link, waiting } = await admin.send<InvitationLink>('people.invite', data, 201)
    for (const request of waiting) await other.send('people.confirm_grant', { id, request }, 200)
    const passwordResponse = await admin.api.post(passwordApiPath, { data: { token: new URL(link).hash.slice(1), password } })
    expect(passwordResponse.status(), await passwordResponse.text()).toBe(200)
    return { name, email, state: await signInByEmail(desk, email) }
  }

  return { state: admin.state, invite: invitePerson, stop: () => Promise.all([admin.api.dispose(), other.api.dispose()]) }
}

const people = new WeakMap<object, Person>()

/** Records the person who is signed in on all pages of a browser context. */
export const recordPerson = (page: Page, person: Person) => people.set(page.context(), person)

export function getPerson(page: Page): Person {
  const person = people.get(page.context())
  if (!person) throw new Error('this page is not from signIn')
  return person
}
