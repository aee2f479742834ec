import type { Metadata } from 'next'
import { ListPage, openListPage } from '@/app/_pages/list'
import type { PageProps } from '@/app/_pages/own-page'
import type { ListRead } from '@/components/kits/list/spec'
import { searchOf } from '@/components/kits/list/view'
import { WebhooksDenied } from '@/components/webhooks/denied'
import { webhookList, webhookListFor } from '@/components/webhooks/list/list'
import { WebhookTable } from '@/components/webhooks/list/table'
import { readWebhooksPage, type WebhooksRead } from '@/lib/features/webhooks/server/operations'
import type { WebhookView } from '@/lib/operations/webhooks'

export const metadata: Metadata = { title: 'Webhooks' }

function rowsOf(found: WebhooksRead): ListRead<WebhookView> {
  return found.ok ? { ...found, rows: found.webhooks, unreadable: [] } : found
}

export default async function WebhooksPage(props: PageProps) {
  const { context, view } = await openListPage(props, webhookList)
  const found = await readWebhooksPage(context, searchOf(webhookList, view))
  if (!found.ok && found.error.code === 'forbidden') return <WebhooksDenied />
  const spec = webhookListFor(view)
  const counts = found.ok ? Object.fromEntries(webhookList.tabs.map(({ id, query }) => [id, countIn(found, query)])) : {}
  return <ListPage context={context} spec={spec} view={view} read={rowsOf(found)} counts={counts} Table={WebhookTable} />
}

type Query = (typeof webhookList.tabs)[number]['query']

const countIn = ({ counts }: Extract<WebhooksRead, { ok: true }>, query: Query): number =>
  'state' in query ? counts[query.state] : counts.received + counts.matched + counts.ignored + counts.failed
