import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ObjectPageProps } from '@/app/_pages/open-page'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { WebhooksDeniedNotice } from '@/components/webhooks/denied'
import { WebhookRecord } from '@/components/webhooks/record/panel'
import { readWebhookPage } from '@/lib/features/webhooks/server/operations'
import { webhookPath } from '@/lib/routes'
import { addAccountsByIds } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'

export const metadata: Metadata = { title: 'Webhook' }

export default async function WebhookPage({ params, searchParams }: ObjectPageProps) {
  const [{ environment, id }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, webhookPath(environment, id))
  const webhookResult = await readWebhookPage(context, decodeURIComponent(id))
  if (!webhookResult.ok && webhookResult.error.code === 'forbidden') return <WebhooksDeniedNotice />
  if (!webhookResult.ok && ['not_found', 'invalid_input'].includes(webhookResult.error.code))
    notFound()
  return (
    <PageContextProvider
      context={
        await addAccountsByIds(context, [webhookResult.ok ? webhookResult.webhook.account : null])
      }
    >
      {webhookResult.ok ? (
        <WebhookRecord webhook={webhookResult.webhook} />
      ) : (
        <ErrorNotice
          className="my-4"
          what="The webhook could not be read"
          error={webhookResult.error}
          requestId={webhookResult.requestId}
        />
      )}
    </PageContextProvider>
  )
}
