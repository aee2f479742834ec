import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countPersonQueues } from '@/lib/features/home/server/queue-counts'
import { mailNotificationsToEveryone } from '@/lib/features/notifications/server/mail-job'
import type { NotificationChoice, NotificationEvent } from '@/lib/operations/notifications'
import { closeStore } from '@/lib/server/store/store'
import { testEncryptionKey } from './harness/dashboard'
import { type MailSink, startMailSink } from './harness/mail-sink'
import { type Person, signIn } from './harness/person'
import { waitUntil } from './harness/wait-until'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

const [night, morning, nextMorning] = [
  '2026-03-30T08:00:00Z',
  '2026-03-30T13:00:00Z',
  '2026-03-31T13:00:00Z',
].map((at) => Date.parse(at)) as [number, number, number]

let testStack: WholeDesk
let mailSink: MailSink
const peopleByRole = new Map<string, Person>()

/**
 * Adds a person with this role, a company email address and the demo password, and signs the person
 * in.
 */
async function addPerson(role: string): Promise<void> {
  const email = `${role}@company.test` as const
  await testStack.db.query(
    `with person as (insert into people (email, name, password_hash)
       select $1, 'Nia ' || $2, password_hash from people where email = 'operator@paydesk.test' returning id)
     insert into grants (person_id, role, environment) select id, $2, 'sandbox' from person`,
    [email, role],
  )
  peopleByRole.set(role, await signIn(testStack.dashboard.url, email))
}

beforeAll(async () => {
  mailSink = await startMailSink()
  testStack = await startWholeDesk({ mirror: true })
  for (const role of ['viewer', 'operator', 'admin']) await addPerson(role)
  // The test process sends the mails itself, from the dashboard's database, so that each test can
  // choose the time.
  Object.assign(process.env, mailSink.settings, {
    DATABASE_URL: testStack.postgres.url,
    ENCRYPTION_KEY: testEncryptionKey,
    SERVICE_SANDBOX_URL: 'http://127.0.0.1:1',
    SERVICE_SANDBOX_API_KEY: 'key-0123456789-0123456789',
    APP_ORIGIN: 'http://127.0.0.1:3000',
    AUTH_SECRET: 'a-secret-of-this-test-run-0123456789abcdef',
  })
})
afterAll(async () => {
  await closeStore()
  await testStack?.stop()
  await mailSink?.stop()
})

const sendNotifications = (now = night) => mailNotificationsToEveryone(countPersonQueues, now)
const listMailsTo = (role: string) => mailSink.to(`${role}@company.test`)
const findNewestMail = (role: string) => listMailsTo(role).at(-1)
const getPerson = (role: string) => peopleByRole.get(role) as Person

const setNotificationChoice = async (
  role: string,
  event: NotificationEvent,
  choice: NotificationChoice,
) => {
  const choiceRequestInit = {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(choice),
  }
  expect(
    (
      await getPerson(role).ask(
        'PUT',
        `/api/sandbox/desk/notifications/${event}`,
        choiceRequestInit,
      )
    ).status,
  ).toBe(200)
}

async function requestRelease() {
  const payout = await testStack.sandbox.makePayout({ amount: 600_000 })
  const reply = await testStack.operator.decide('release', payout)
  return { payout, id: reply.body.action?.id ?? '' }
}

async function withdrawPendingActions(): Promise<void> {
  const { rows } = await testStack.db.query<{ id: string }>(
    `select id from actions where state = 'awaiting_approval'`,
  )
  const emptyJsonInit = { headers: { 'content-type': 'application/json' }, body: '{}' }
  for (const { id } of rows)
    expect(
      (await testStack.operator.post(`/api/sandbox/desk/approvals/${id}/withdraw`, emptyJsonInit))
        .status,
    ).toBe(200)
}

describe('mails', () => {
  test('are sent once to each person concerned, with a link and without names', async () => {
    const { id, payout } = await requestRelease()
    expect(await sendNotifications()).toBe(2)
    expect(listMailsTo('viewer')).toEqual([])
    for (const role of ['operator', 'admin']) {
      const mail = findNewestMail(role)
      expect(mail?.subject).toBe('Paydesk: Your approval is needed')
      expect(mail?.text).toContain(`http://127.0.0.1:3000/sandbox/approvals/${id}`)
      for (const secret of ['Omar', 'Nia', payout.id]) expect(mail?.text).not.toContain(secret)
    }
    expect(await sendNotifications()).toBe(0)
  })

  test('are deleted when their subject is settled, and the next subject sends new ones', async () => {
    await withdrawPendingActions()
    expect(await sendNotifications()).toBe(0)
    expect((await testStack.db.query('select 1 from notification_mails')).rowCount).toBe(0)
    await requestRelease()
    expect(await sendNotifications()).toBe(2)
  })

  test('are retried after a refusal of the mail server, and not sent if turned off', async () => {
    await setNotificationChoice('operator', 'approval', { app: true, mail: false })
    await requestRelease()
    mailSink.refuse(true)
    expect(await sendNotifications()).toBe(0)
    mailSink.refuse(false)
    const mailCountBefore = listMailsTo('operator').length
    expect(await sendNotifications()).toBe(1)
    expect(listMailsTo('operator').length).toBe(mailCountBefore)
  })

  test('about a queue are sent when it becomes nonempty', async () => {
    await setNotificationChoice('operator', 'waits', { app: true, mail: true })
    expect(await sendNotifications()).toBe(1)
    expect(findNewestMail('operator')?.text).toMatch(/payouts? on hold \(sandbox\)/)
    await testStack.mirrored([(await testStack.sandbox.makePayout()).id])
    expect(await sendNotifications()).toBe(0)
    // Here no queue could be counted. A queue that was not counted must not count as empty, or its
    // mail would be sent again.
    expect(await mailNotificationsToEveryone(async () => ({}), night)).toBe(0)
    expect(await sendNotifications()).toBe(0)
  })

  test('about a rejected API key go to admins, and again for a later rejection', async () => {
    const setSyncPausedSince = (since: string | null) =>
      testStack.db.query(`update sync_state set paused_reason = $1, paused_since = $2`, [
        since && 'service_key_refused',
        since,
      ])
    const notifyWhileSyncPaused = async (since: string) => {
      await setSyncPausedSince(since)
      const sentCount = await sendNotifications()
      await setSyncPausedSince(null)
      return sentCount
    }
    expect(await notifyWhileSyncPaused('2026-03-30T01:00:00Z')).toBe(1)
    expect(findNewestMail('admin')?.subject).toBe('Paydesk: The API key is refused')
    expect(await sendNotifications()).toBe(0)
    expect(await notifyWhileSyncPaused('2026-03-30T02:00:00Z')).toBe(1)
  })

  test('with the digest are sent once a morning and contain all waiting items', async () => {
    expect(await sendNotifications(morning)).toBe(2)
    expect(findNewestMail('operator')?.subject).toMatch(/^Paydesk: \d+ things wait for you$/)
    expect(await sendNotifications(morning + 3_600_000)).toBe(0)
    expect(await sendNotifications(nextMorning)).toBe(2)
    expect(listMailsTo('viewer')).toEqual([])
  })
})

describe('in Paydesk', () => {
  const readNotificationCount = async (role: string) =>
    (await getPerson(role).get<{ notifications: number }>('/api/sandbox/desk/queue-counts')).body
      .data?.notifications

  test('notifications are counted, except those that the person turned off', async () => {
    const countBefore = (await readNotificationCount('operator')) ?? 0
    expect(countBefore).toBeGreaterThan(0)
    await setNotificationChoice('operator', 'waits', { app: false, mail: false })
    await waitUntil('the queues to be left out', async () =>
      ((await readNotificationCount('operator')) ?? 0) < countBefore ? true : null,
    )
    expect(await readNotificationCount('viewer')).toBe(0)
  })

  test('an invalid choice is rejected by name', async () => {
    const invalidChoiceInit = {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ app: 'yes', mail: true }),
    }
    const { status, body } = await getPerson('viewer').ask(
      'PUT',
      '/api/sandbox/desk/notifications/approval',
      invalidChoiceInit,
    )
    expect([status, body.error?.items?.map(({ reference }) => reference)]).toEqual([422, ['app']])
    const validChoiceInit = {
      ...invalidChoiceInit,
      body: JSON.stringify({ app: true, mail: true }),
    }
    expect(
      (
        await getPerson('viewer').ask(
          'PUT',
          '/api/sandbox/desk/notifications/weather',
          validChoiceInit,
        )
      ).status,
    ).toBe(422)
  })
})
