import { randomUUID } from 'node:crypto'
import {
  type APIRequest,
  type APIRequestContext,
  type APIResponse,
  expect,
  type Page,
} from '@playwright/test'
import type { WireError } from '@/lib/errors'
import type { Role } from '@/lib/operations/define'
import { toApiRequestParts } from '@/lib/operations/http'
import type { InvitationLink } from '@/lib/operations/people'
import { authApiPath, passwordApiPath } from '@/lib/routes'

type StorageState = Awaited<ReturnType<APIRequestContext['storageState']>>

/** A person that a test created. `state` contains the cookies of their session. */
export type Person = { name: string; email: string; state: StorageState }

/** The password of the demo people and of all people that tests create. */
export const password = 'paydesk-demo'

export const emailOf = (role: Role) => `${role}@paydesk.test`

const firstNames: Readonly<Record<Role, string>> = {
  admin: 'Alma',
  operator: 'Otto',
  reviewer: 'Rosa',
  viewer: 'Vera',
}

/**
 * The URL of a Paydesk server, and Playwright's factory for clients that send requests to it
 * without a browser.
 */
export type DeskClient = { request: APIRequest; url: string }

const createApiContext = ({ request, url }: DeskClient, state?: StorageState) =>
  request.newContext({
    baseURL: url,
    extraHTTPHeaders: { origin: url },
    ...(state && { storageState: state }),
  })

/**
 * Signs a person in with the same request as the form. Returns the cookies of the session. Repeats
 * the request while Paydesk responds with 503, because it is then busy with other sign-ins.
 */
export async function signInByEmail(deskClient: DeskClient, email: string): Promise<StorageState> {
  const signInApi = await createApiContext(deskClient)
  const { csrfToken } = (await (await signInApi.get(authApiPath('csrf'))).json()) as {
    csrfToken: string
  }
  const signInFields = { csrfToken, email, password, json: 'true' }
  let responseStatus = 0
  const sendSignIn = async () => {
    responseStatus = (
      await signInApi.post(authApiPath('callback/credentials'), { form: signInFields })
    ).status()
    return responseStatus
  }
  await expect
    .poll(sendSignIn, { message: `the desk has room for the sign-in of ${email}` })
    .not.toBe(503)
  expect(responseStatus, `${email} signs in`).toBe(200)
  const storageState = await signInApi.storageState()
  await signInApi.dispose()
  return storageState
}

/**
 * Confirms the password in this session. For five minutes, writes then do not ask for it again,
 * except those that require a confirmation each time.
 */
export async function confirmPassword(api: APIRequestContext, deskUrl: string): Promise<void> {
  const postToDesk = (path: string, data: object) =>
    api.post(`${deskUrl}/api/sandbox/desk${path}`, { headers: { origin: deskUrl }, data })
  const stepUpRefusal = (await (await postToDesk('/factors/totp/begin', {})).json()) as {
    error: WireError
  }
  await postToDesk(`/step-ups/${stepUpRefusal.error.step_up?.challenge}`, {
    method: 'password',
    password,
  })
}

type SendRequest = (headers: Record<string, string>) => Promise<APIResponse>

/**
 * Sends a request without a page. If Paydesk first requires the password, confirms the password and
 * sends the request again.
 */
export async function sendConfirmedRequest(
  api: APIRequestContext,
  deskUrl: string,
  sendRequest: SendRequest,
): Promise<APIResponse> {
  const response = await sendRequest({})
  if (response.status() !== 403) return response
  const { error } = (await response.json()) as { error: WireError }
  if (!error.step_up) return response
  const stepUpUrl = `${deskUrl}/api/sandbox/desk/step-ups/${error.step_up.challenge}`
  await api.post(stepUpUrl, {
    headers: { origin: deskUrl },
    data: { method: 'password', password },
  })
  return sendRequest({ 'step-up': error.step_up.challenge })
}

/**
 * Signs in a demo admin without a browser. The returned `send` runs an operation, and confirms the
 * password if Paydesk requires it.
 */
async function signInAdmin(deskClient: DeskClient, email: string) {
  const adminStorageState = await signInByEmail(deskClient, email)
  const adminApi = await createApiContext(deskClient, adminStorageState)

  async function sendDeskOperation<T>(
    operationId: 'people.invite' | 'people.confirm_grant',
    input: Record<string, unknown>,
    status: number,
  ): Promise<T> {
    const { url } = toApiRequestParts(operationId, input, { environment: 'sandbox' })
    const requestBody = operationId === 'people.invite' ? input : {}
    const confirmedResponse = await sendConfirmedRequest(adminApi, deskClient.url, (headers) =>
      adminApi.post(url, { headers, data: requestBody }),
    )
    expect(confirmedResponse.status(), await confirmedResponse.text()).toBe(status)
    return ((await confirmedResponse.json()) as { data: T }).data
  }

  return { state: adminStorageState, api: adminApi, send: sendDeskOperation }
}

/**
 * Signs in two demo admins. Returns `invite`, which creates a person with a role: the first admin
 * invites the person, the second confirms the role, and a request with the token of the invitation
 * link sets the password.
 */
export async function createInviter(deskClient: DeskClient) {
  const [admin, secondAdmin] = await Promise.all([
    signInAdmin(deskClient, emailOf('admin')),
    signInAdmin(deskClient, 'admin2@paydesk.test'),
  ])

  async function invitePerson(role: Role): Promise<Person> {
    const uniqueTag = randomUUID().slice(0, 8)
    const [name, email] = [
      `${firstNames[role]} ${uniqueTag}`,
      `${firstNames[role].toLowerCase()}.${uniqueTag}@company.test`,
    ]
    const invitationInput = {
      name,
      email,
      grants: [{ role, environment: 'sandbox', account: null, expires_at: null }],
    }
    const { id, link, waiting } = await admin.send<InvitationLink>(
      'people.invite',
      invitationInput,
      201,
    )
    for (const request of waiting)
      await secondAdmin.send('people.confirm_grant', { id, request }, 200)
    const passwordResponse = await admin.api.post(passwordApiPath, {
      data: { token: new URL(link).hash.slice(1), password },
    })
    expect(passwordResponse.status(), await passwordResponse.text()).toBe(200)
    return { name, email, state: await signInByEmail(deskClient, email) }
  }

  return {
    state: admin.state,
    invite: invitePerson,
    stop: () => Promise.all([admin.api.dispose(), secondAdmin.api.dispose()]),
  }
}

const personByContext = new WeakMap<object, Person>()

/** Records the person who is signed in on all pages of a browser context. */
export const rememberPersonOfPage = (page: Page, person: Person) =>
  personByContext.set(page.context(), person)

export function getPersonOfPage(page: Page): Person {
  const person = personByContext.get(page.context())
  if (!person) throw new Error('this page is not from signIn')
  return person
}
