import 'server-only'
import { and, eq, inArray, like, lt, not, notInArray, or, sql } from 'drizzle-orm'
import { bankDay, bankHour } from '@/lib/dates'
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
import { type Db, database, delayExitFor } from '@/lib/server/store/store'
import { readChoices } from './choices'
import { type CountWaiting, listNotifications, listUncountedQueueKeys } from './list-notifications'

/** Seconds between two runs of the mail job, and milliseconds from the start of the server to the first run. */
const runIntervalSeconds = 60
const startDelayMs = 2000
/** The hour in New York after which the daily digest is sent. */
const digestHour = 7

type MailNotification = Notification & { environment: Environment }

/**
 * Returns all notifications of a person in every environment. `current` has their keys, and those of queues that could not be counted,
 * which may still be current.
 */
async function listAllNotifications(
  db: Db,
  person: Person,
  countWaiting: CountWaiting,
): Promise<{ facts: MailNotification[]; current: string[] }> {
  const actor = { id: person.id, name: person.name, email: person.email, sessionHash: '', grants: await listGrants(db, person.id) }
  const environments = listConfiguredEnvironments().filter((environment) => actor.grants.some((grant) => grant.environment === environment))
  const found = await Promise.all(
    environments.map(async (environment) => {
      const counts = await countWaiting(actor, environment)
      const facts = (await listNotifications(actor, environment, counts)).map((fact) => ({ ...fact, environment }))
      return { facts, current: [...facts.map(({ key }) => key), ...listUncountedQueueKeys(environment, counts)] }
    }),
  )
  return { facts: found.flatMap(({ facts }) => facts), current: found.flatMap(({ current }) => current) }
}

const toLink = (environment: Environment, path: string): string => `${env().appOrigin}/${environment}${path}`

const toMailLine = ({ title, line, environment, path }: MailNotification): string =>
  `${title} (${environment})\n${line}.\n${toLink(environment, path)}\n`

function buildMail(to: string, facts: readonly MailNotification[], isDigest: boolean) {
  const [singleNotification] = facts
  const titleText = facts.length === 1 && singleNotification ? singleNotification.title : `${facts.length} notifications`
  const subject = `Paydesk: ${isDigest ? `${facts.length === 1 ? '1 thing waits' : `${facts.length} things wait`} for you` : titleText}`
  const settingsUrl = `${env().appOrigin}${notificationsPath(listConfiguredEnvironments()[0] ?? 'sandbox')}`
  return { to, subject, text: `${facts.map(toMailLine).join('\n')}\nWhat is mailed to you is chosen here:\n${settingsUrl}\n` }
}

const toPersonKeysCondition = (personId: string, keys: readonly string[]) =>
  and(eq(mails.personId, personId), inArray(mails.key, [...keys]))

/**
 * Records the keys of a mail before it is sent. Returns only the keys that no mail contained before. If two instances claim the same key,
 * only one gets it.
 */
async function reserveKeys(db: Db, personId: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db
    .insert(mails)
    .values(keys.map((key) => ({ personId, key })))
    .onConflictDoNothing()
    .returning({ key: mails.key })
  return new Set(rows.map(({ key }) => key))
}

/** Deletes the keys of notifications that are no longer current, and the keys of digests after three days. */
async function deleteOldKeys(db: Db, personId: string, current: readonly string[]): Promise<void> {
  const isNotCurrent = current.length > 0 ? notInArray(mails.key, [...current]) : sql`true`
  const isOld = lt(mails.mailedAt, sql`now() - interval '3 days'`)
  await db
    .delete(mails)
    .where(
      and(eq(mails.personId, personId), or(and(isNotCurrent, not(like(mails.key, 'digest/%'))), and(like(mails.key, 'digest/%'), isOld))),
    )
}

/** Sends some notifications in one mail, each only once. Returns the number of mails sent. If sending fails, the next run tries again. */
async function mailNewNotifications(
  db: Db,
  person: Person,
  facts: readonly MailNotification[],
  keys: readonly string[],
  isDigest: boolean,
): Promise<number> {
  const reservedKeys = await reserveKeys(db, person.id, keys)
  const mailedNotifications = isDigest ? facts : facts.filter(({ key }) => reservedKeys.has(key))
  if (reservedKeys.size === 0 || mailedNotifications.length === 0) return 0
  if (await mailNow(buildMail(person.email, mailedNotifications, isDigest))) return 1
  await db.delete(mails).where(toPersonKeysCondition(person.id, [...reservedKeys]))
  return 0
}

const isMailChosen = (choices: NotificationChoices) => (fact: MailNotification) => choices[fact.event].mail

async function mailPerson(db: Db, person: Person, countWaiting: CountWaiting, now: number): Promise<number> {
  const choices = await readChoices(db, person.id)
  const { facts, current } = await listAllNotifications(db, person, countWaiting)
  await deleteOldKeys(db, person.id, current)
  const chosenNotifications = facts.filter(isMailChosen(choices))
  const keys = chosenNotifications.map(({ key }) => key)
  const sentCount = await mailNewNotifications(db, person, chosenNotifications, keys, false)
  if (!choices.digest.mail || bankHour(now) < digestHour || facts.length === 0) return sentCount
  return sentCount + (await mailNewNotifications(db, person, facts, [`digest/${bankDay(now)}`], true))
}

/**
 * Sends each person the notifications that they chose and that were not sent yet. Returns the number of mails sent. `now` (milliseconds)
 * decides if the digest is due.
 */
export async function mailEveryone(countWaiting: CountWaiting, now: number): Promise<number> {
  const db = await database()
  let sent = 0
  for (const person of await listPeopleWithEmail(db)) {
    try {
      sent += await mailPerson(db, person, countWaiting, now)
    } catch (error) {
      // The other people still get their mails. The next run, in a minute, tries this person again.
      log.error({ event: 'notifications.not_told', code: getErrorCode(error) })
    }
  }
  return sent
}

/** Starts the mail job, which runs on only one instance at a time. Does nothing if no mail server is configured. */
export function startNotifications(countWaiting: CountWaiting): { stop: () => void } {
  if (!canMail()) return { stop: () => {} }
  const mailIfDue = async () => {
    await mailEveryone(countWaiting, Date.now())
    return 'done' as const
  }
  const running = startQueues([{ name: 'notifications', everySeconds: runIntervalSeconds, run: mailIfDue }], startDelayMs)
  return { stop: () => delayExitFor(running.stop()) }
}
