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
import { canMail, sendMailNow } from '@/lib/server/mail/mailer'
import { startQueues } from '@/lib/server/store/jobs'
import { notificationMails as mails } from '@/lib/server/store/schema/desk'
import { type Db, delayExitFor, getDatabase } from '@/lib/server/store/store'
import { readNotificationChoices } from './choices'
import {
  listNotifications,
  listUncountedQueueKeys,
  type WaitingRowCounter,
} from './list-notifications'

const mailJobIntervalSeconds = 60
const mailJobStartDelayMs = 2000
/** From this hour on, in New York, the daily digest is mailed. */
const digestHour = 7

type MailNotification = Notification & { environment: Environment }

/**
 * `current`: the keys of `facts`, and of queues that could not be counted: their notifications may
 * still be current.
 */
async function listAllNotifications(
  db: Db,
  person: Person,
  countWaiting: WaitingRowCounter,
): Promise<{ facts: MailNotification[]; current: string[] }> {
  const personActor = {
    id: person.id,
    name: person.name,
    email: person.email,
    sessionHash: '',
    grants: await listGrants(db, person.id),
  }
  const grantedEnvironments = listConfiguredEnvironments().filter((environment) =>
    personActor.grants.some((grant) => grant.environment === environment),
  )
  const notificationsByEnvironment = await Promise.all(
    grantedEnvironments.map(async (environment) => {
      const waitingCounts = await countWaiting(personActor, environment)
      const environmentNotifications = (
        await listNotifications(personActor, environment, waitingCounts)
      ).map((fact) => ({
        ...fact,
        environment,
      }))
      return {
        facts: environmentNotifications,
        current: [
          ...environmentNotifications.map(({ key }) => key),
          ...listUncountedQueueKeys(environment, waitingCounts),
        ],
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

function buildMail(
  recipientEmail: string,
  notificationsToMail: readonly MailNotification[],
  isDigest: boolean,
) {
  const [singleNotification] = notificationsToMail
  const titleText =
    notificationsToMail.length === 1 && singleNotification
      ? singleNotification.title
      : `${notificationsToMail.length} notifications`
  const mailSubject = `Paydesk: ${isDigest ? `${notificationsToMail.length === 1 ? '1 thing waits' : `${notificationsToMail.length} things wait`} for you` : titleText}`
  const settingsUrl = `${env().appOrigin}${notificationsPath(listConfiguredEnvironments()[0] ?? 'sandbox')}`
  return {
    to: recipientEmail,
    subject: mailSubject,
    text: `${notificationsToMail.map(toMailLine).join('\n')}\nWhat is mailed to you is chosen here:\n${settingsUrl}\n`,
  }
}

const toMailedKeysCondition = (personId: string, keys: readonly string[]) =>
  and(eq(mails.personId, personId), inArray(mails.key, [...keys]))

/**
 * Returns only the keys that were not stored before. If two server instances store the same key,
 * only one of them gets it back, so that the mail is sent once.
 */
async function reserveNotificationKeys(
  db: Db,
  personId: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const reservedRows = await db
    .insert(mails)
    .values(keys.map((key) => ({ personId, key })))
    .onConflictDoNothing()
    .returning({ key: mails.key })
  return new Set(reservedRows.map(({ key }) => key))
}

/** Keys of digests are deleted after three days, all others once they are no longer current. */
async function deleteOldNotificationKeys(
  db: Db,
  personId: string,
  currentKeys: readonly string[],
): Promise<void> {
  const notCurrentCondition =
    currentKeys.length > 0 ? notInArray(mails.key, [...currentKeys]) : sql`true`
  const oldKeyCondition = lt(mails.mailedAt, sql`now() - interval '3 days'`)
  await db
    .delete(mails)
    .where(
      and(
        eq(mails.personId, personId),
        or(
          and(notCurrentCondition, not(like(mails.key, 'digest/%'))),
          and(like(mails.key, 'digest/%'), oldKeyCondition),
        ),
      ),
    )
}

/**
 * A digest has all `facts`, any other mail only the new ones. Returns the number of sent mails, 0
 * or 1. If sending fails, the stored keys are deleted, so that the next run tries again.
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
  if (await sendMailNow(buildMail(person.email, mailedNotifications, isDigest))) return 1
  await db.delete(mails).where(toMailedKeysCondition(person.id, [...reservedKeys]))
  return 0
}

const createMailChoiceFilter = (choices: NotificationChoices) => (fact: MailNotification) =>
  choices[fact.event].mail

async function mailNotificationsToPerson(
  db: Db,
  person: Person,
  countWaiting: WaitingRowCounter,
  now: number,
): Promise<number> {
  const choices = await readNotificationChoices(db, person.id)
  const { facts, current } = await listAllNotifications(db, person, countWaiting)
  await deleteOldNotificationKeys(db, person.id, current)
  const chosenNotifications = facts.filter(createMailChoiceFilter(choices))
  const notificationKeys = chosenNotifications.map(({ key }) => key)
  const sentCount = await mailNewNotifications(
    db,
    person,
    chosenNotifications,
    notificationKeys,
    false,
  )
  if (!choices.digest.mail || toNewYorkHour(now) < digestHour || facts.length === 0)
    return sentCount
  return (
    sentCount +
    (await mailNewNotifications(db, person, facts, [`digest/${toNewYorkDate(now)}`], true))
  )
}

/** Returns the number of mails sent. `now` (milliseconds) decides if the digest is due. */
export async function mailNotificationsToEveryone(
  countWaiting: WaitingRowCounter,
  now: number,
): Promise<number> {
  const db = await getDatabase()
  let mailCount = 0
  for (const person of await listPeopleWithEmail(db)) {
    try {
      mailCount += await mailNotificationsToPerson(db, person, countWaiting, now)
    } catch (error) {
      // The other people still get their mails. The next run, in a minute, tries this person again.
      log.error({ event: 'notifications.not_told', code: getErrorCode(error) })
    }
  }
  return mailCount
}

/** Runs on only one instance at a time. Does nothing if no mail server is configured. */
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
