import 'server-only'
import { eq } from 'drizzle-orm'
import {
  defaultNotificationChoices,
  type NotificationChoices,
} from '@/lib/operations/notifications'
import type { Input } from '@/lib/operations/registry'
import { appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import type { Actor } from '@/lib/server/auth/session-rows'
import { notificationChoices as table } from '@/lib/server/store/schema/desk'
import { type Db, getDatabase } from '@/lib/server/store/store'

export async function readNotificationChoices(
  db: Db,
  personId: string,
): Promise<NotificationChoices> {
  const choiceRows = await db.select().from(table).where(eq(table.personId, personId))
  return {
    ...defaultNotificationChoices,
    ...Object.fromEntries(choiceRows.map(({ event, app, mail }) => [event, { app, mail }])),
  }
}

export async function saveNotificationChoice(
  actor: Actor,
  { event, app, mail }: Input<'notifications.choose'>,
): Promise<NotificationChoices> {
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    await tx
      .insert(table)
      .values({ personId: actor.id, event, app, mail })
      .onConflictDoUpdate({ target: [table.personId, table.event], set: { app, mail } })
    await appendAudit(tx, {
      code: 'notifications.choose.applied',
      ...toActorFields(actor),
      target: `people/${actor.id}`,
    })
  })
  return readNotificationChoices(db, actor.id)
}
