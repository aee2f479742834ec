'use client'

import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PageHeader, pageClasses } from '@/components/kits/layout/page-header'
import { Fact, FactList } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { JsonPanel } from '@/components/kits/record/record-json'
import { Button } from '@/components/ui/button'
import { ShortId } from '@/components/ui/copy-button'
import { StateBadges, WebhookTarget } from '@/components/webhooks/list/table'
import { getAccountName } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import { useOperation } from '@/lib/client/query/writes'
import { describeEventType, getWebhookNoteText } from '@/lib/domain/webhook-labels'
import { whyNotProcessedAgain } from '@/lib/features/webhooks/rules'
import type { WebhookDetail } from '@/lib/operations/webhooks'
import { listPath } from '@/lib/routes'

/** Requests the webhook every second until it is processed. */
export function WebhookRecord({ webhook: initialWebhook }: { webhook: WebhookDetail }) {
  const context = usePageContext()
  const { id } = initialWebhook
  const { data } = useQuery({
    ...operationQuery({ ...context, account: null }, 'webhooks.read', { id }),
    initialData: { data: initialWebhook, meta: { request_id: '' }, replayed: false },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.data.state === 'received' ? 1000 : false),
  })
  const processMutation = useOperation<'webhooks.process'>(context)
  const webhook = data?.data ?? initialWebhook
  return (
    <article aria-label="Webhook" className={pageClasses.text}>
      <PageHeader
        title={
          describeEventType(webhook.event_type) ?? <ExternalText>{webhook.event_type}</ExternalText>
        }
        meta={<StateBadges {...webhook} />}
        actions={
          <span className="flex flex-wrap gap-2 print:hidden">
            <Button
              size="small"
              loading={processMutation.isPending}
              disabledReason={whyNotProcessedAgain(webhook)}
              onClick={() =>
                processMutation.mutate({ operation: 'webhooks.process', input: { id } })
              }
            >
              Process again
            </Button>
          </span>
        }
        back={{ href: listPath(context, 'webhooks'), label: 'All webhooks' }}
      />
      {processMutation.error && (
        <ErrorNotice
          what="The webhook was not processed again"
          error={processMutation.error.toWire()}
          requestId={processMutation.error.requestId}
        />
      )}
      <WebhookFacts webhook={webhook} />
    </article>
  )
}

function WebhookFacts({ webhook }: { webhook: WebhookDetail }) {
  const context = usePageContext()
  const { payload, account, next_try_at, note, processed_at, received_at, state, tries, verified } =
    webhook
  return (
    <JsonPanel title="Event" label="The payload as Paydesk stores it" json={payload}>
      <FactList>
        <Fact name="Record">
          <WebhookTarget {...webhook} />
        </Fact>
        <Fact name="Account">
          {account && <ExternalText>{getAccountName(context, account)}</ExternalText>}
        </Fact>
        <Fact name="Event type">
          <ExternalText>{webhook.event_type ?? 'unknown'}</ExternalText>
        </Fact>
        <Fact name="Signature">
          {verified
            ? 'verified: sent by the payments service'
            : 'none: unverified, so the event changed nothing'}
        </Fact>
        <Fact name="Received">
          <RelativeTime at={received_at} />
        </Fact>
        <Fact name="Processed at">
          {processed_at ? <RelativeTime at={processed_at} /> : 'not yet'}
        </Fact>
        <Fact name="Attempts">
          {tries}
          {next_try_at && state === 'received' && (
            <>
              , next <RelativeTime at={next_try_at} show="moment" />
            </>
          )}
        </Fact>
        {note && <Fact name="Note">{getWebhookNoteText(webhook)}</Fact>}
        <Fact name="Webhook ID">
          <ShortId id={webhook.id} what="webhook ID" />
        </Fact>
        <Fact name="Event ID">
          {webhook.event_id && <ShortId id={webhook.event_id} what="event ID" />}
        </Fact>
        <Fact name="Payload">
          {payload ? (
            'stored for 30 days, sensitive fields masked or left out'
          ) : (
            <span className="text-ink-3">not stored</span>
          )}
        </Fact>
      </FactList>
    </JsonPanel>
  )
}
