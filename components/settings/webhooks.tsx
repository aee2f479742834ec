import { Link } from '@/components/kits/layout/link'
import { Fact, FactList, Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import type { PageContext } from '@/lib/client/page-context'
import { getRefusalCauseText } from '@/lib/domain/webhook-labels'
import type { WebhookSummary } from '@/lib/operations/service-check'
import { listPath } from '@/lib/routes'

const signatureLabels = {
  secret: 'required: an event without a valid one is refused',
  unsigned: 'not required: an event without a valid one is recorded but changes nothing',
  none: 'no secret is set: all events are refused',
} as const

const CountText = ({ value }: { value: number }) => (
  <span className="tabular-nums">{value.toLocaleString('en-US')}</span>
)

export const WebhookSettings = ({
  context,
  summary,
}: {
  context: PageContext
  summary: WebhookSummary
}) => {
  const { received, matched, ignored, failed } = summary.events
  return (
    <Panel
      title="Webhooks in the last 30 days"
      aside={
        <Link href={listPath(context, 'webhooks')} className="text-accent text-sm hover:underline">
          All webhooks
        </Link>
      }
    >
      <FactList>
        <Fact name="Signature">{signatureLabels[summary.signing]}</Fact>
        <Fact name="Last received">
          {summary.last_received_at ? (
            <RelativeTime at={summary.last_received_at} show="ago" />
          ) : (
            <span className="text-ink-3">none yet</span>
          )}
        </Fact>
        <Fact name="Received">
          <CountText value={received + matched + ignored + failed} />
        </Fact>
        <Fact name="Processed">
          <CountText value={matched} />
        </Fact>
        <Fact name="Not used">
          <CountText value={ignored} />
        </Fact>
        <Fact name="In progress">
          <CountText value={received} />
        </Fact>
        <Fact name="Processing failed">
          <CountText value={failed} />
        </Fact>
        <Fact name="Received without a valid signature">
          <CountText value={summary.unverified} />
        </Fact>
        <Fact name="Refused and not processed">
          {summary.refusals.length === 0 ? (
            <CountText value={0} />
          ) : (
            <ul className="grid gap-0.5">
              {summary.refusals.map(({ cause, count, last_at }) => (
                <li key={cause}>
                  {getRefusalCauseText(cause)}: <CountText value={count} />
                  <span className="text-ink-3">
                    , last <RelativeTime at={last_at} show="ago" />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Fact>
      </FactList>
    </Panel>
  )
}
