import 'server-only'
import { desc, eq, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import type { WebhookSummary } from '@/lib/operations/service-check'
import { env } from '@/lib/server/config/env'
import { webhookEvents, webhookRefusals } from '@/lib/server/store/schema/mirror'
import { getDatabase } from '@/lib/server/store/store'

function readSigningMode(environment: Environment): WebhookSummary['signing'] {
  const { secrets, unsigned } = env().webhooks[environment]
  if (secrets.length > 0) return 'secret'
  return unsigned ? 'unsigned' : 'none'
}

export async function readWebhookSummary(environment: Environment): Promise<WebhookSummary> {
  const db = await getDatabase()
  const { state, signed, receivedAt } = webhookEvents
  const { cause, count, lastAt } = webhookRefusals
  const refusalCountSum = sql<number>`sum(${count})::int`
  const [eventGroups, refusalRows] = await Promise.all([
    db
      .select({
        state,
        signed,
        count: sql<number>`count(*)::int`,
        last: sql<number>`(extract(epoch from max(${receivedAt})) * 1000)::float8`,
      })
      .from(webhookEvents)
      .where(eq(webhookEvents.environment, environment))
      .groupBy(state, signed),
    db
      .select({
        cause,
        count: refusalCountSum,
        last: sql<number>`(extract(epoch from max(${lastAt})) * 1000)::float8`,
      })
      .from(webhookRefusals)
      .where(eq(webhookRefusals.environment, environment))
      .groupBy(cause)
      .orderBy(desc(refusalCountSum)),
  ])
  const eventCounts = { received: 0, matched: 0, ignored: 0, failed: 0 }
  for (const group of eventGroups) eventCounts[group.state] += group.count
  const lastReceivedAt = Math.max(...eventGroups.map((group) => group.last))
  return {
    signing: readSigningMode(environment),
    last_received_at: eventGroups.length > 0 ? new Date(lastReceivedAt).toISOString() : null,
    events: eventCounts,
    unverified: eventGroups
      .filter((group) => group.signed === 'unverified')
      .reduce((all, group) => all + group.count, 0),
    refusals: refusalRows.map((row) => ({
      cause: row.cause,
      count: row.count,
      last_at: new Date(row.last).toISOString(),
    })),
  }
}
