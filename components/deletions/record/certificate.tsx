'use client'

import { deletionStateLabels } from '@/components/deletions/list/list'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PageHeader, pageClasses } from '@/components/kits/layout/page-header'
import { Fact, FactList, Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { CopyButton, ShortId } from '@/components/ui/copy-button'
import { StatusBadge } from '@/components/ui/tone'
import { getAccountName } from '@/lib/client/page-context'
import { getStatusWords } from '@/lib/domain/status'
import { formatCount } from '@/lib/features/deletions/labels'
import { moneyText } from '@/lib/money'
import type { DeletionCertificate, DeletionView, StateTally } from '@/lib/operations/deletion'
import { toApiRequestParts } from '@/lib/operations/http'
import { deleteCustomerPath, deletionsPath } from '@/lib/routes'
import { DeletionEffectList, DeletionRequestFacts } from './impact-panel'

const formatTallies = (kind: 'paykey' | 'payment', tallies: readonly StateTally[]): string =>
  tallies
    .map(({ status, count, sum }) => {
      const sumText = kind === 'payment' && sum !== null ? ` (${moneyText(sum)})` : ''
      return `${count} ${getStatusWords(kind, status).label.toLowerCase()}${sumText}`
    })
    .join(', ') || 'none'

/**
 * `impact` counts the customer's records at the service directly before the deletion. `purged`
 * counts what Paydesk then erased of its own data.
 */
function CertificateFigures({
  certificate: { impact, purged },
}: {
  certificate: DeletionCertificate
}) {
  return (
    <Panel title="Affected records">
      <FactList>
        <Fact name="Bank accounts">{impact && formatTallies('paykey', impact.paykeys)}</Fact>
        <Fact name="Payouts">{impact && formatTallies('payment', impact.payouts)}</Fact>
        <Fact name="Charges">{impact && formatTallies('payment', impact.charges)}</Fact>
        <Fact name="Erased here">
          Contents of {formatCount(purged.actions, 'action')}, names of{' '}
          {formatCount(purged.uploads, 'file')},{' '}
          {formatCount(purged.index, 'mirrored object', 'mirrored objects')},{' '}
          {formatCount(purged.views, 'saved view')}, {formatCount(purged.notes ?? 0, 'note')},{' '}
          {formatCount(purged.texts, 'sentence')} elsewhere,{' '}
          {formatCount(purged.calls, 'error text')}.
        </Fact>
      </FactList>
      {impact?.partial && <p className="mt-2 text-held">Not all payments were counted.</p>}
    </Panel>
  )
}

type CertificateViewProps = { request: DeletionView; certificate: DeletionCertificate | null }

/** The certificate can be printed, and verified without Paydesk. */
export function CertificateView({ request, certificate }: CertificateViewProps) {
  const context = usePageContext()
  const { tone, label } = deletionStateLabels[request.state]
  return (
    <article aria-label="Deletion" className={pageClasses.text}>
      <PageHeader
        title={
          certificate
            ? 'Certificate of deletion'
            : `Request to delete customer …${request.customer_id.slice(-6)}`
        }
        meta={`${getAccountName(context, request.account)}, ${context.environment.toUpperCase()}`}
        actions={
          <>
            <StatusBadge tone={tone}>{label}</StatusBadge>
            <span className="flex flex-wrap gap-2 print:hidden">
              {certificate && (
                <a
                  href={toApiRequestParts('deletions.certificate', { id: request.id }, context).url}
                  download
                  className={buttonVariants({ size: 'small' })}
                >
                  Download JSON
                </a>
              )}
              {certificate && (
                <Button size="small" onClick={() => window.print()}>
                  Print
                </Button>
              )}
            </span>
          </>
        }
        back={{ href: deletionsPath(context), label: 'All deletions' }}
      />
      <Panel title="Request">
        <DeletionRequestFacts request={request} />
        {request.state === 'requested' && (
          <Link
            href={deleteCustomerPath(context, request.customer_id, { account: request.account })}
            className={`${buttonVariants({ size: 'small' })} mt-3`}
          >
            Review and carry out
          </Link>
        )}
      </Panel>
      {certificate && (
        <Certificate certificate={certificate} hash={request.certificate_hash ?? ''} />
      )}
    </article>
  )
}

const proofTexts: Record<DeletionCertificate['provider']['proof'], string> = {
  answer: 'the service confirmed the deletion',
  'replayed answer': 'the service repeated its answer to the first attempt',
  'decided by a person': 'the service did not answer; a reviewer decided on evidence',
}

function Certificate({ certificate, hash }: { certificate: DeletionCertificate; hash: string }) {
  const { times, people, provider } = certificate
  return (
    <>
      <Panel title="What was done">
        <div className="grid gap-3">
          <p className="text-ink-2">{certificate.scope}</p>
          <FactList>
            <Fact name="Subject">
              <HashText text={certificate.subject} what="subject" />
              <span className="text-ink-3 text-xs">
                A keyed hash of the customer ID. The hash identifies no one.
              </span>
            </Fact>
            <Fact name="Asked for">
              <RelativeTime at={times.requested} show="whole" /> by{' '}
              <ExternalText>{people.requested.name}</ExternalText>
            </Fact>
            <Fact name="Sent">
              <RelativeTime at={times.sent} show="whole" /> by{' '}
              <ExternalText>{people.executed.name}</ExternalText>
            </Fact>
            <Fact name="Confirmed">
              <RelativeTime at={times.confirmed} show="whole" />: {proofTexts[provider.proof]}
            </Fact>
            <Fact name="Erased here">
              <RelativeTime at={times.purged} show="whole" />
            </Fact>
            {provider.attempts.map((attempt) => (
              <Fact key={attempt.request_id} name="Provider’s request">
                <ShortId id={attempt.api_request_id ?? attempt.request_id} what="request ID" />{' '}
                <span className="text-ink-3 text-xs">answer {attempt.status ?? 'none'}</span>
              </Fact>
            ))}
            <Fact name="Audit chain">
              row {certificate.audit.seq.toLocaleString('en-US')}{' '}
              <HashText text={certificate.audit.hash} what="hash of the audit row" />
            </Fact>
          </FactList>
        </div>
      </Panel>
      <CertificateFigures certificate={certificate} />
      <Panel title="What remains, and what is unknown">
        <div className="grid gap-4 sm:grid-cols-2">
          <DeletionEffectList
            title="What remains, and why"
            lines={certificate.stays}
            tone="neutral"
          />
          <DeletionEffectList title="What was unknown" lines={certificate.unknown} tone="unknown" />
        </div>
      </Panel>
      <Panel title="How to verify this certificate">
        <div className="grid gap-1">
          <p className="text-ink-2">
            The SHA-256 of the certificate’s canonical JSON (RFC 8785), which is the member{' '}
            <code className="font-mono text-xs">certificate</code> of the download:
          </p>
          <HashText text={hash} what="hash of the certificate" />
        </div>
      </Panel>
    </>
  )
}

const HashText = ({ text, what }: { text: string; what: string }) => (
  <span className="flex min-w-0 items-start gap-1">
    <code className="min-w-0 break-all font-mono text-xs">{text}</code>
    <span className="print:hidden">
      <CopyButton text={text} what={what} />
    </span>
  </span>
)
