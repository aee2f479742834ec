import { expect } from 'vitest'
import type { InvitationLink, PersonDetail, PersonView } from '@/lib/operations/people'
import type { Person } from './person'
import { confirmGrantRequests } from './second-admin'
import { createVisitor, trySignIn } from './sign-in'

export const peoplePath = '/api/sandbox/desk/people'
export const goodPassword = 'marble tractor violin 7'
export const viewerGrant = {
  role: 'viewer',
  environment: 'sandbox',
  account: null,
  expires_at: null,
}

export const toJsonInit = (body: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const readInvitationToken = ({ link }: InvitationLink) => new URL(link).hash.slice(1)

/**
 * Returns functions that invite, list and sign in people. They call `getDesk` when they run, so a
 * test file can create them before its `beforeAll` opens the desk.
 */
export function createPeopleHelpers(getDesk: () => { dashboardUrl: string; admin: Person }) {
  const postJson = <T = PersonDetail>(
    subpath: string,
    body: object = {},
    person = getDesk().admin,
  ) => person.ask<T>('POST', `${peoplePath}${subpath}`, toJsonInit(body))

  const invitePerson = (name: string, fields: object = {}, person = getDesk().admin) =>
    postJson<InvitationLink>(
      '',
      { name, email: `${name}@company.test`, grants: [viewerGrant], ...fields },
      person,
    )

  const setPassword = (token: string, password = goodPassword) =>
    createVisitor(getDesk().dashboardUrl).send('/api/password', {
      method: 'POST',
      ...toJsonInit({ token, password }),
    })

  async function createConfirmedInvitation(name: string, fields: object = {}) {
    const { status, body } = await invitePerson(name, fields)
    expect([status, body.error?.detail]).toEqual([201, undefined])
    const invitation = body.data as InvitationLink
    await confirmGrantRequests(getDesk().dashboardUrl, invitation.id, invitation.waiting)
    return { id: invitation.id, token: readInvitationToken(invitation), link: invitation.link }
  }

  /** Invites a person, sets the person's password and signs the person in. */
  async function createSignedInPerson(name: string, fields: object = {}) {
    const { id, token } = await createConfirmedInvitation(name, fields)
    expect((await setPassword(token)).status).toBe(200)
    const email = `${name}@company.test`
    const { ok, send } = await trySignIn(getDesk().dashboardUrl, email, goodPassword)
    expect(ok).toBe(true)
    const fetchResponseStatus = async (apiPath = '/api/sandbox/v1/accounts') =>
      (await send(apiPath)).status
    return { id, send, status: fetchResponseStatus }
  }

  const listPeople = async () =>
    (await getDesk().admin.get<PersonView[]>(peoplePath)).body.data ?? []
  const findPersonId = async (email: string) =>
    (await listPeople()).find((person) => person.email === email)?.id ?? ''

  return {
    postJson,
    invitePerson,
    setPassword,
    createConfirmedInvitation,
    createSignedInPerson,
    listPeople,
    findPersonId,
  }
}
