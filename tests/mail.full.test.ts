import type { ParsedMail } from 'mailparser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InvitationLink } from '@/lib/operations/people'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { listRecipients, type MailSink, startMailSink } from './harness/mail-sink'
import { type Person, signIn } from './harness/person'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { createVisitor, trySignIn } from './harness/sign-in'
import { waitUntil } from './harness/wait-until'

const [firstPassword, secondPassword] = ['marble tractor violin 7', 'kettle orbit plum tree 9']
const toJsonInit = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

let sandbox: Sandbox
let mailDashboard: Dashboard
let mailSink: MailSink
let admin: Person

beforeAll(async () => {
  mailSink = await startMailSink()
  sandbox = await startSandbox()
  mailDashboard = await startDashboard({
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    env: mailSink.settings,
  })
  admin = await signIn(mailDashboard.url, 'admin')
})
afterAll(async () => {
  await mailDashboard?.stop()
  await sandbox?.stop()
  await mailSink.stop()
})

const waitForMail = (email: string, mailIndex: number) =>
  waitUntil(`mail ${mailIndex} to ${email}`, () => mailSink.to(email)[mailIndex] ?? null)
const findLink = (mail: ParsedMail): string => /http:\S+/.exec(mail.text ?? '')?.[0] ?? ''

const invitePerson = (email: string) =>
  admin.ask<InvitationLink>(
    'POST',
    '/api/sandbox/desk/people',
    toJsonInit({
      name: 'Mara',
      email,
      grants: [{ role: 'viewer', environment: 'sandbox', account: null, expires_at: null }],
    }),
  )
const setPassword = (link: string, password: string) =>
  createVisitor(mailDashboard.url).send(
    '/api/password',
    toJsonInit({ token: new URL(link).hash.slice(1), password }),
  )
const requestPasswordLink = (email: string) =>
  createVisitor(mailDashboard.url).send('/api/password/forgot', toJsonInit({ email }))

/**
 * Returns a response's status and body. Removes the request id, which differs even between equal
 * responses.
 */
const readComparableParts = async (response: Response) => [
  response.status,
  (await response.text()).replace(/"request_id":"[^"]*"/, ''),
]

test('an invitation is sent by mail with the same link that the admin sees', async () => {
  const { body } = await invitePerson('mara@company.test')
  expect(body.data?.mailed).toBe(true)
  const mail = await waitForMail('mara@company.test', 0)
  expect([mail.from?.value[0]?.address, findLink(mail), mail.subject]).toEqual([
    'paydesk@company.test',
    body.data?.link,
    'Your invitation to Paydesk',
  ])
  expect((await setPassword(findLink(mail), firstPassword)).status).toBe(200)
  expect((await trySignIn(mailDashboard.url, 'mara@company.test', firstPassword)).ok).toBe(true)
})

test('a forgotten password is reset by a link of single use, which ends every session', async () => {
  const { send } = await trySignIn(mailDashboard.url, 'mara@company.test', firstPassword)
  expect((await send('/api/sandbox/v1/accounts')).status).toBe(200)
  expect((await requestPasswordLink('MARA@company.test')).status).toBe(200)
  const passwordLink = findLink(await waitForMail('mara@company.test', 1))
  expect((await setPassword(passwordLink, secondPassword)).status).toBe(200)
  expect((await setPassword(passwordLink, firstPassword)).status).toBe(409)
  await waitUntil('the session to end', async () =>
    (await send('/api/sandbox/v1/accounts')).status === 401 ? true : null,
  )
  expect((await trySignIn(mailDashboard.url, 'mara@company.test', firstPassword)).ok).toBe(false)
  expect((await trySignIn(mailDashboard.url, 'mara@company.test', secondPassword)).ok).toBe(true)
})

test('the response does not reveal an account, and unknown, demo and invited people get no mail', async () => {
  await invitePerson('only.invited@company.test')
  await waitForMail('only.invited@company.test', 0)
  const mailCountBefore = mailSink.mails.length
  const expectedResponse = await readComparableParts(await requestPasswordLink('mara@company.test'))
  for (const email of [
    'nobody@company.test',
    'operator@paydesk.test',
    'only.invited@company.test',
  ]) {
    expect(await readComparableParts(await requestPasswordLink(email))).toEqual(expectedResponse)
  }
  // Mails arrive in order. When this last mail has arrived, any mail to the three addresses above
  // would have arrived too.
  await invitePerson('marker@company.test')
  await waitForMail('marker@company.test', 0)
  expect(mailSink.mails.slice(mailCountBefore).flatMap(listRecipients)).toEqual([
    'marker@company.test',
  ])
})

test('a refusing mail server does not block an invitation, and the log contains no address', async () => {
  mailSink.refuse(true)
  const { status } = await invitePerson('unreachable@company.test')
  expect(status).toBe(201)
  await waitUntil(
    'the failure in the log',
    () => mailDashboard.log().includes('mail.not_sent') || null,
  )
  const tokens = mailSink.mails.map((mail) => new URL(findLink(mail)).hash.slice(1))
  const logText = mailDashboard.log()
  expect(
    ['unreachable@', 'mara@', 'nobody@', ...tokens].filter((secret) => logText.includes(secret)),
  ).toEqual([])
})

test('a network with too many requests is refused, whatever the address', async () => {
  const linkRequestStatuses = []
  for (let attempt = 0; attempt < 12; attempt += 1)
    linkRequestStatuses.push((await requestPasswordLink(`nobody${attempt}@company.test`)).status)
  expect(new Set(linkRequestStatuses)).toEqual(new Set([200, 429]))
  expect(linkRequestStatuses.at(-1)).toBe(429)
})
