import 'server-only'
import { and, eq, inArray, like, lt, not, notInArray, or, sql } from 'drizzle-orm'
import { toNewYorkDate, toNewYorkHour } from '@/lib/dates'
import type { Environment } from '@/lib/operations/define'
import type { Notification, NotificationChoices } from '@/lib/operations/notifications'
import { notificationsPath } from '@/lib/routes'
import { listGrants, listPeopleWithEmail, type Person } from '@/lib/server/auth/people'
import { env, listConfiguredEnvironments } from '@/lib/server/config/env'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { canMail, mailNow } from '@/lib/server/mail/mailer'
import { startQueues } from '@/lib/server/store/jobs'
import { notificationMails as mails } from '@/lib/server/store/schema/desk'
import { type Db, delayExitFor, getDatabase } from '@/lib/server/store/store'
import { readChoices } from './choices'
import {
  listNotifications,
  listUncountedQueueKeys,
  type WaitingRowCounter,
} from './list-notifications'

/** Seconds between two runs of the mail job. */
const mailJobIntervalSeconds = 60
/** Milliseconds from the start of the server to the first run of the mail job. */
const mailJobStartDelayMs = 2000
/** From this hour (New York time), the daily digest is mailed. */
const digestHour = 7

type MailNotification = Notification & { environment: Environment }

/**
 * Returns all notifications of a person in every environment, as `facts`. `current` has the keys of
 * these notifications. It also has the keys of queues that could not be counted, because their
 * notifications may still be current.
 */
async function listAllNotifications(
  db: Db,
  person: Person,
  countWaiting: WaitingRowCounter,
): Promise<{ facts: MailNotification[]; current: string[] }> {
  const actor = {
    id: person.id,
    name: person.name,
    email: person.email,
    sessionHash: '',
    grants: await listGrants(db, person.id),
  }
  const environments = listConfiguredEnvironments().filter((environment) =>
    actor.grants.some((grant) => grant.environment === environment),
  )
  const notificationsByEnvironment = await Promise.all(
    environments.map(async (environment) => {
      const counts = await countWaiting(actor, environment)
      const facts = (await listNotifications(actor, environment, counts)).map((fact) => ({
        ...fact,
        environment,
      }))
      return {
        facts,
        current: [...facts.map(({ key }) => key), ...listUncountedQueueKeys(environment, counts)],
      }
    }),
  )
  return {
    facts: notificationsByEnvironment.flatMap(({ facts }) => facts),
    current: notificationsByEnvironment.flatMap(({ current }) => current),
  }
}

const toAppUrl = (environment: Environment, path: string): string =>
  `${env().appOrigin}/${environment}${path}`

const toMailLine = ({ title, line, environment, path }: MailNotification): string =>
  `${title} (${environment})\n${line}.\n${toAppUrl(environment, path)}\n`

function buildMail(to: string, facts: readonly MailNotification[], isDigest: boolean) {
  const [singleNotification] = facts
  const titleText =
    facts.length === 1 && singleNotification
      ? singleNotification.title
      : `${facts.length} notifications`
  const subject = `Paydesk: ${isDigest ? `${facts.length === 1 ? '1 thing waits' : `${facts.length} things wait`} for you` : titleText}`
  const settingsUrl = `${env().appOrigin}${notificationsPath(listConfiguredEnvironments()[0] ?? 'sandbox')}`
  return {
    to,
    subject,
    text: `${facts.map(toMailLine).join('\n')}\nWhat is mailed to you is chosen here:\n${settingsUrl}\n`,
  }
}

const toMailedKeysCondition = (personId: string, keys: readonly string[]) =>
  and(eq(mails.personId, personId), inArray(mails.key, [...keys]))

/**
 * Stores the keys of notifications before they are mailed. Returns only the keys that were not
 * stored before: their notifications were never mailed. If two server instances store the same key,
 * only one of them gets it back, so that the mail is sent once.
 */
async function reserveNotificationKeys(
  db: Db,
  personId: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db
    .insert(mails)
    .values(keys.map((key) => ({ personId, key })))
    .onConflictDoNothing()
    .returning({ key: mails.key })
  return new Set(rows.map(({ key }) => key))
}

/**
 * Deletes the stored keys of mailed notifications that are no longer current, and the keys of
 * digests mailed more than three days ago.
 */
async function deleteOldNotificationKeys(
  db: Db,
  personId: string,
  currentKeys: readonly string[],
): Promise<void> {
  const isNotCurrent = currentKeys.length > 0 ? notInArray(mails.key, [...currentKeys]) : sql`true`
  const isOld = lt(mails.mailedAt, sql`now() - interval '3 days'`)
  await db
    .delete(mails)
    .where(
      and(
        eq(mails.personId, personId),
        or(
          and(isNotCurrent, not(like(mails.key, 'digest/%'))),
          and(like(mails.key, 'digest/%'), isOld),
        ),
      ),
    )
}

/**
 * Sends one mail, unless all its `keys` were mailed before. A digest has all `facts`; any other
 * mail has only the new ones. Returns the number of mails sent, 0 or 1. If sending fails, the
 * stored keys are deleted, so that the next run of the job tries again.
 */
async function mailNewNotifications(
  db: Db,
  person: Person,
  facts: readonly MailNotification[],
  keys: readonly string[],
  isDigest: boolean,
): Promise<number> {
  const reservedKeys = await reserveNotificationKeys(db, person.id, keys)
  const mailedNotifications = isDigest ? facts : facts.filter(({ key }) => reservedKeys.has(key))
  if (reservedKeys.size === 0 || mailedNotifications.length === 0) return 0
  if (await mailNow(buildMail(person.email, mailedNotifications, isDigest))) return 1
  await db.delete(mails).where(toMailedKeysCondition(person.id, [...reservedKeys]))
  return 0
}

const isMailChosen = (choices: NotificationChoices) => (fact: MailNotification) =>
  choices[fact.event].mail

async function mailNotificationsToPerson(
  db: Db,
  person: Person,
  countWaiting: WaitingRowCounter,
  now: number,
): Promise<number> {
  const choices = await readChoices(db, person.id)
  const { facts, current } = await listAllNotifications(db, person, countWaiting)
  await deleteOldNotificationKeys(db, person.id, current)
  const chosenNotifications = facts.filter(isMailChosen(choices))
  const keys = chosenNotifications.map(({ key }) => key)
  const sentCount = await mailNewNotifications(db, person, chosenNotifications, keys, false)
  if (!choices.digest.mail || toNewYorkHour(now) < digestHour || facts.length === 0)
    return sentCount
  return (
    sentCount +
    (await mailNewNotifications(db, person, facts, [`digest/${toNewYorkDate(now)}`], true))
  )
}

/**
 * Sends each person the notifications that they chose and that were not sent yet. Returns the
 * number of mails sent. `now` (milliseconds) decides if the digest is due.
 */
export async function mailNotificationsToEveryone(
  countWaiting: WaitingRowCounter,
  now: number,
): Promise<number> {
  const db = await getDatabase()
  let sent = 0
  for (const person of await listPeopleWithEmail(db)) {
    try {
      sent += await mailNotificationsToPerson(db, person, countWaiting, now)
    } catch (error) {
      // The other people still get their mails. The next run, in a minute, tries this person again.
      log.error({ event: 'notifications.not_told', code: getErrorCode(error) })
    }
  }
  return sent
}

/**
 * Starts the mail job, which runs on only one instance at a time. Does nothing if no mail server is
 * configured.
 */
export function startNotificationMailJob(countWaiting: WaitingRowCounter): { stop: () => void } {
  if (!canMail()) return { stop: () => {} }
  const runMailJob = async () => {
    await mailNotificationsToEveryone(countWaiting, Date.now())
    return 'done' as const
  }
  const mailQueue = startQueues(
    [{ name: 'notifications', everySeconds: mailJobIntervalSeconds, run: runMailJob }],
    mailJobStartDelayMs,
  )
  return { stop: () => delayExitFor(mailQueue.stop()) }
}
