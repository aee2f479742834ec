'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Fact, Facts } from '@/components/kits/layout/facts'
import { PageHeader } from '@/components/kits/layout/page-header'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { CopyButton } from '@/components/ui/copy-button'
import { ShortId } from '@/components/ui/short-id'
import { StatusBadge } from '@/components/ui/status-badge'
import { accountName } from '@/lib/client/desk'
import type { DeletionCertificate, DeletionView } from '@/lib/operations/deletion'
import { deleteCustomerPath, deletionApiPath, deletionsPath } from '@/lib/routes'
import { CertificateFigures } from './certificate-figures'
import { deletionStates } from './deletion-row'
import { Lines } from './impact-panel'
import { RequestFacts } from './request-facts'

type CertificateViewProps = { request: DeletionView; certificate: DeletionCertificate | null }

/** One request; once it was carried out, its certificate, which prints on two pages and can be checked without this desk. */
export function CertificateView({ request, certificate }: CertificateViewProps) {
  const desk = useDesk()
  const { tone, label } = deletionStates[request.state]
  return (
    <article aria-label="Deletion" className="mx-auto grid max-w-4xl gap-3 pt-2 pb-8">
      <PageHeader
        title={certificate ? 'Certificate of deletion' : 'Request for deletion'}
        meta={`${accountName(desk, request.account)}, ${desk.environment.toUpperCase()}`}
        actions={
          <>
            <StatusBadge tone={tone}>{label}</StatusBadge>
            <span className="flex flex-wrap gap-2 print:hidden">
              {certificate && (
                <a href={deletionApiPath(request.id, 'certificate')} download className={buttonVariants({ size: 'small' })}>
                  Download JSON
                </a>
              )}
              {certificate && (
                <Button size="small" onClick={() => window.print()}>
                  Print
                </Button>
              )}
              <Link href={deletionsPath(desk.environment, { account: desk.account })} className={buttonVariants({ size: 'small' })}>
                All deletions
              </Link>
            </span>
          </>
        }
      />
      <Panel title="Request">
        <RequestFacts request={request} />
        {request.state === 'requested' && (
          <Link
            href={deleteCustomerPath(desk.environment, request.customer_id, { account: request.account })}
            className={`${buttonVariants({ size: 'small' })} mt-3`}
          >
            Look at it and carry it out
          </Link>
        )}
      </Panel>
      {certificate && <Certificate certificate={certificate} hash={request.certificate_hash ?? ''} />}
    </article>
  )
}

const proofs: Record<DeletionCertificate['provider']['proof'], string> = {
  answer: 'the service answered that it is done',
  'replayed answer': 'the service answered from its own record of the first attempt',
  'decided by a person': 'no answer could be had; a person decided on evidence',
}

function Certificate({ certificate, hash }: { certificate: DeletionCertificate; hash: string }) {
  const { times, people, provider } = certificate
  return (
    <>
      <Panel title="What was done">
        <div className="grid gap-3">
          <p className="text-ink-2">{certificate.scope}</p>
          <Facts>
            <Fact name="Subject">
              <Hash text={certificate.subject} what="subject" />
              <span className="text-ink-3 text-xs">A keyed hash of the customer’s id: it names nobody.</span>
            </Fact>
            <Fact name="Asked for">
              <RelativeTime at={times.requested} show="whole" /> by <bdi>{people.requested.name}</bdi>
            </Fact>
            <Fact name="Sent">
              <RelativeTime at={times.sent} show="whole" /> by <bdi>{people.executed.name}</bdi>
            </Fact>
            <Fact name="Confirmed">
              <RelativeTime at={times.confirmed} show="whole" />: {proofs[provider.proof]}
            </Fact>
            <Fact name="Erased here">
              <RelativeTime at={times.purged} show="whole" />
            </Fact>
            {provider.attempts.map((attempt) => (
              <Fact key={attempt.request_id} name="Provider’s request">
                <ShortId id={attempt.api_request_id ?? attempt.request_id} what="request id" />{' '}
                <span className="text-ink-3 text-xs">answer {attempt.status ?? 'none'}</span>
              </Fact>
            ))}
            <Fact name="Audit chain">
              row {certificate.audit.seq.toLocaleString('en-US')} <Hash text={certificate.audit.hash} what="hash of the audit row" />
            </Fact>
          </Facts>
        </div>
      </Panel>
      <CertificateFigures certificate={certificate} />
      <Panel title="What stays, and what cannot be known">
        <div className="grid gap-4 sm:grid-cols-2">
          <Lines title="What stays, and why" lines={certificate.stays} tone="neutral" />
          <Lines title="What could not be known" lines={certificate.unknown} tone="unknown" />
        </div>
      </Panel>
      <Panel title="How to check it">
        <div className="grid gap-1">
          <p className="text-ink-2">
            The SHA-256 of the certificate’s canonical JSON (RFC 8785), which is the member{' '}
            <code className="font-mono text-xs">certificate</code> of the download:
          </p>
          <Hash text={hash} what="hash of the certificate" />
        </div>
      </Panel>
    </>
  )
}

const Hash = ({ text, what }: { text: string; what: string }) => (
  <span className="flex min-w-0 items-start gap-1">
    <code className="min-w-0 break-all font-mono text-xs">{text}</code>
    <span className="print:hidden">
      <CopyButton text={text} what={what} />
    </span>
  </span>
)
