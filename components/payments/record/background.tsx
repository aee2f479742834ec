'use client'

import { lazy } from 'react'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Fact, FactList, Panel, UnreadableFact } from '@/components/kits/layout/panel'
import { CalendarDate, RelativeTime } from '@/components/kits/layout/relative-time'
import { MetadataFacts, RecordFacts, RecordTimes } from '@/components/kits/record/record-json'
import { RecordTimeline } from '@/components/kits/record/record-timeline'
import { RevealField } from '@/components/kits/record/reveal'
import { ReadableRecordField } from '@/components/kits/unreadable/unreadable-fields'
import type { ProofUploadPanelProps } from '@/components/payments/forms/upload-proof'
import { paymentOperations } from '@/components/payments/operations'
import { Boundary } from '@/components/ui/boundary'
import { ShortId } from '@/components/ui/copy-button'
import { Skeleton } from '@/components/ui/skeleton'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { toProviderEntries } from '@/lib/domain/provider-history'
import { findOwnValue } from '@/lib/domain/service-words'
import { isFieldUnreadable } from '@/lib/domain/unreadable-rules'
import { balanceCheckLabels, consentTypeLabels, paymentNouns } from '@/lib/features/payments/labels'
import { formatFileSize } from '@/lib/formats'
import type { ActionView } from '@/lib/operations/answer'
import { recordPath } from '@/lib/routes'
import { DocumentProof, UnfinishedUpload } from './document-proof'
import { PaymentParties, RecentPayments } from './parties'
import type { PaymentRelatedReads } from './use-facts'
import { findUnfinishedUpload } from './use-payment-actions'

const ProofUploadPanel = lazy(() =>
  import('@/components/payments/forms/upload-proof').then((module) => ({
    default: module.ProofUploadPanel,
  })),
)

type PaymentDocumentsProps = {
  payment: Payment
  actions: readonly ActionView[]
  upload: Omit<ProofUploadPanelProps, 'payment' | 'actions'> & { open: boolean; onOpen: () => void }
}

/**
 * The documents that prove the authorization of a payment, newest first, with the details that a
 * person entered at the upload, and the upload form. The service does not return their content, so
 * only documents with a copy in Paydesk can be opened.
 */
export function PaymentDocuments({ payment, actions, upload }: PaymentDocumentsProps) {
  const { open, onOpen, ...props } = upload
  const unfinishedUpload = open
    ? undefined
    : findUnfinishedUpload(paymentOperations[props.kind].authorize, payment.id)
  return (
    <Panel
      title="Documents"
      aside={
        <span className="text-ink-3 text-xs">
          {isFieldUnreadable(payment, 'documents') ? '' : payment.documents.length}
        </span>
      }
    >
      <ReadableRecordField field="documents">
        {payment.documents.length === 0 && !open && (
          <p className="text-ink-3">No authorization proof on file.</p>
        )}
      </ReadableRecordField>
      <ul className="grid gap-1">
        {payment.documents.toReversed().map((document) => (
          <li key={document.document_id} className="flex flex-wrap items-baseline gap-x-3">
            <ExternalText className="min-w-0 break-all font-medium">
              {document.document_name ?? 'Unnamed document'}
            </ExternalText>
            <span className="text-ink-3 text-xs">
              {document.document_size != null && `${formatFileSize(document.document_size)} · `}
              <RelativeTime at={document.uploaded_at} />
            </span>
            <DocumentProof
              id={document.document_id}
              documents={payment.documents}
              target={`${paymentNouns[props.kind].resource}/${payment.id}`}
            />
          </li>
        ))}
      </ul>
      {open && (
        <Boundary fallback={<Skeleton className="mt-3 h-32" />}>
          <ProofUploadPanel payment={payment} actions={actions} {...props} />
        </Boundary>
      )}
      {unfinishedUpload && <UnfinishedUpload draft={unfinishedUpload} onOpen={onOpen} />}
    </Panel>
  )
}

type PaymentRecordFactsProps = { kind: PaymentKind; payment: Payment; account: string | null }

function PaymentRecordFacts({ kind, payment, account }: PaymentRecordFactsProps) {
  const { one } = paymentNouns[kind]
  return (
    <RecordFacts nouns={paymentNouns[kind]} record={payment}>
      <FactList>
        <Fact name="ID">
          <ShortId id={payment.id} what={`${one} ID`} />
        </Fact>
        <Fact name="Description" field="description">
          {payment.description && <ExternalText>{payment.description}</ExternalText>}
        </Fact>
        <Fact name="External ID" field="external_id">
          {payment.external_id && <ShortId id={payment.external_id} what="external ID" />}
        </Fact>
        <Fact name="Payment date" field="payment_date">
          {payment.payment_date && <CalendarDate date={payment.payment_date} />}
        </Fact>
        <Fact name="Rail" field="payment_rail">
          {payment.payment_rail?.toUpperCase()}
        </Fact>
        {kind === 'charge' && <ChargeFacts charge={payment} />}
        <Fact name="Device" field="device">
          <DeviceFacts kind={kind} payment={payment} account={account} />
        </Fact>
        <RecordTimes record={payment} />
        <Fact name="Processed" field="processed_at">
          {payment.processed_at ? <RelativeTime at={payment.processed_at} /> : 'not yet'}
        </Fact>
        <Fact name="Settled" field="effective_at">
          {payment.effective_at ? <RelativeTime at={payment.effective_at} /> : 'not yet'}
        </Fact>
        <TraceIds payment={payment} />
        <MetadataFacts metadata={payment.metadata} />
      </FactList>
    </RecordFacts>
  )
}

/** The fields that only charges have. A value without a label is shown as received. */
function ChargeFacts({ charge }: { charge: Payment }) {
  const consentType = charge.consent_type ?? ''
  const balanceCheck = charge.config?.balance_check ?? ''
  return (
    <>
      <Fact name="Consent" field="consent_type">
        {findOwnValue(consentTypeLabels, consentType) ?? consentType}
      </Fact>
      <Fact name="Balance check" field="config">
        {findOwnValue(balanceCheckLabels, balanceCheck) ?? balanceCheck}
      </Fact>
    </>
  )
}

/** The ids of the payment in the bank network, and its funding events. */
function TraceIds({ payment }: { payment: Payment }) {
  const context = usePageContext()
  return (
    <>
      <UnreadableFact name="Traces" field="trace_ids" />
      <UnreadableFact name="Funding events" field="funding_ids" />
      {Object.entries(payment.trace_ids).map(([party, id]) => (
        <Fact key={party} name={`Trace, ${party}`}>
          <ShortId id={id} what={`trace ID of ${party}`} />
        </Fact>
      ))}
      {payment.funding_ids.map((id) => (
        <Fact key={id} name="Funding event">
          <Link
            href={recordPath(context, 'funding_events', id, { account: context.account })}
            className="text-accent hover:underline"
          >
            <ShortId id={id} />
          </Link>
        </Fact>
      ))}
    </>
  )
}

/** The IP address is masked until the person gives a reason, and then shown for a minute. */
function DeviceFacts({ kind, payment, account }: PaymentRecordFactsProps) {
  if (payment.device?.offline) return 'none: the customer was not present (0.0.0.0)'
  return (
    <RevealField
      operation={paymentOperations[kind].unmask}
      id={payment.id}
      account={account}
      what="the address of the customer’s device"
      names={[payment.customer_details?.name]}
      disabledReason={account === null ? `The account of this ${kind} is not known yet.` : null}
      masked={payment.device ? 'address masked' : 'none recorded'}
    >
      {({ device }) =>
        device?.ip_address === '0.0.0.0'
          ? '0.0.0.0 (the customer was not present)'
          : (device?.ip_address ?? 'none recorded')
      }
    </RevealField>
  )
}

type PaymentBackgroundPanelsProps = {
  kind: PaymentKind
  payment: Payment
  facts: PaymentRelatedReads
  account: string | null
}

export const PaymentBackgroundPanels = ({
  kind,
  payment,
  facts,
  account,
}: PaymentBackgroundPanelsProps) => (
  <>
    <PaymentParties payment={payment} facts={facts} />
    <RecentPayments kind={kind} payment={payment} recent={facts.recent} />
    <PaymentRecordFacts kind={kind} payment={payment} account={account} />
  </>
)

export const PaymentTimeline = ({
  payment,
  actions,
}: {
  payment: Payment
  actions: readonly ActionView[]
}) => <RecordTimeline history={toProviderEntries(payment.status_history)} actions={actions} />
