import type { Metadata } from 'next'
import { ListPage, prepareListPage } from '@/app/_pages/list'
import type { PageProps } from '@/app/_pages/open-page'
import type { ListRowsResult } from '@/components/kits/list/spec'
import { toRequestFields } from '@/components/kits/list/view'
import { WebhooksDeniedNotice } from '@/components/webhooks/denied'
import { getWebhookList, webhookList } from '@/components/webhooks/list/list'
import { WebhookTable } from '@/components/webhooks/list/table'
import {
  readWebhooksPage,
  type WebhooksReadResult,
} from '@/lib/features/webhooks/server/operations'
import type { WebhookView } from '@/lib/operations/webhooks'

export const metadata: Metadata = { title: 'Webhooks' }

function toWebhookRowsResult(result: WebhooksReadResult): ListRowsResult<WebhookView> {
  return result.ok ? { ...result, rows: result.webhooks, unreadable: [] } : result
}

export default async function WebhooksPage(props: PageProps) {
  const { context, view } = await prepareListPage(props, webhookList)
  const webhooksRead = await readWebhooksPage(context, toRequestFields(webhookList, view))
  if (!webhooksRead.ok && webhooksRead.error.code === 'forbidden') return <WebhooksDeniedNotice />
  const listSpec = getWebhookList(view)
  const tabCounts = webhooksRead.ok
    ? Object.fromEntries(
        webhookList.tabs.map(({ id, query }) => [id, countWebhooksInTab(webhooksRead, query)]),
      )
    : {}
  return (
    <ListPage
      context={context}
      spec={listSpec}
      view={view}
      read={toWebhookRowsResult(webhooksRead)}
      counts={tabCounts}
      Table={WebhookTable}
    />
  )
}

type WebhookTabQuery = (typeof webhookList.tabs)[number]['query']

const countWebhooksInTab = (
  { counts }: Extract<WebhooksReadResult, { ok: true }>,
  query: WebhookTabQuery,
): number =>
  'state' in query
    ? counts[query.state]
    : counts.received + counts.matched + counts.ignored + counts.failed
