'use client'

import { ExternalText } from '@/components/kits/layout/outside-text'
import { Fact, FactList, Panel } from '@/components/kits/layout/panel'
import { CalendarDate, RelativeTime } from '@/components/kits/layout/relative-time'
import { RecordFacts, RecordTimes } from '@/components/kits/record/record-json'
import { RevealableValue } from '@/components/kits/record/reveal'
import type { OwnerAccount } from '@/components/kits/record/side-reads'
import { ReadableRecordField } from '@/components/kits/unreadable/unreadable-fields'
import { ShortId } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'
import type { ReadResult } from '@/lib/domain/check'
import { findOwnValue } from '@/lib/domain/service-words'
import { getStatusWords } from '@/lib/domain/status'
import { getVerdictWords } from '@/lib/domain/verification'
import { customerNouns } from '@/lib/features/customers/labels'
import { formatCustomerStatusLine } from '@/lib/features/customers/reputation'
import type {
  Customer,
  CustomerReview,
  IdentityDetails,
  UnmaskedCustomer,
} from '@/lib/operations/customers.schema'
import { CustomerLinks } from './links'
import { PrivacyPanel } from './privacy-panel'
import type { CustomerRelatedReads } from './use-facts'

/** If the status contradicts the verification, the notice states that the status counts. */
export function CustomerVerdict({
  customer,
  review,
}: {
  customer: Customer
  review: ReadResult<CustomerReview>
}) {
  const customerStatusLabel = getStatusWords('customer', customer.status)
  const identityDetails = review.data?.identity_details
  return (
    <Notice
      tone={customerStatusLabel.tone}
      title={
        <span className="text-base">
          {formatCustomerStatusLine(customer.status, identityDetails)}
        </span>
      }
    >
      {review.error !== undefined && <p>The evidence: {review.error}</p>}
      {review.data && !identityDetails && (
        <p>The customer has not been verified yet, so there is no evidence.</p>
      )}
      {identityDetails && <VerificationLine status={customer.status} details={identityDetails} />}
    </Notice>
  )
}

function VerificationLine({ status, details }: { status: string; details: IdentityDetails }) {
  const verdict = getVerdictWords(details.decision).label.toLowerCase()
  const result = doesReviewContradictStatus(status, details.decision)
    ? `“${verdict}”, which is not the current status: the current status counts.`
    : `“${verdict}”.`
  const at = details.updated_at ?? details.created_at
  return (
    <p>
      The verification at <RelativeTime at={at} show="moment" /> ended with {result}
    </p>
  )
}

/** True if a person decided differently after the verification, or if the data is inconsistent. */
const doesReviewContradictStatus = (status: string, decision: string | undefined) =>
  (status === 'rejected' && decision === 'accept') ||
  (status === 'verified' && decision !== 'accept')

type CustomerRecordPanelProps = { customer: Customer; owner: OwnerAccount }

function CustomerRecordPanel({ customer, owner }: CustomerRecordPanelProps) {
  return (
    <>
      <Panel title="Identity details">
        <RevealableValue
          operation="customers.unmask"
          id={customer.id}
          account={owner.account}
          what="contact and identity data"
          names={[customer.name]}
          disabledReason={owner.why}
          masked={<MaskedFacts customer={customer} />}
        >
          {(values) => <RevealedFacts customer={values} />}
        </RevealableValue>
      </Panel>
      <RecordFacts nouns={customerNouns} record={customer}>
        <FactList>
          <Fact name="ID">
            <ShortId id={customer.id} what="customer ID" />
          </Fact>
          <Fact name="External ID" field="external_id">
            {customer.external_id ? (
              <ShortId id={customer.external_id} what="external ID" />
            ) : (
              'none'
            )}
          </Fact>
          <RecordTimes record={customer} />
          <Fact name="Verified" field="config">
            {findOwnValue(processingMethodLabels, customer.config?.processing_method) ??
              customer.config?.processing_method}
          </Fact>
          {customer.config?.sandbox_outcome && (
            <Fact name="Sandbox outcome">{customer.config.sandbox_outcome}</Fact>
          )}
        </FactList>
      </RecordFacts>
      <MetadataPanel metadata={customer.metadata} />
    </>
  )
}

const processingMethodLabels: Readonly<Record<string, string>> = {
  inline: 'immediately, at creation',
  background: 'later, in the background',
  skip: 'skipped, as the account allows',
}

function MaskedFacts({ customer }: { customer: Customer }) {
  const { compliance_profile: profile, address } = customer
  return (
    <FactList>
      <Fact name="Type" field="type">
        {customer.type}
      </Fact>
      <Fact name="Email" field="email">
        {customer.email && <ExternalText>{customer.email}</ExternalText>}
      </Fact>
      <Fact name="Phone" field="phone">
        {customer.phone && <ExternalText>{customer.phone}</ExternalText>}
      </Fact>
      <Fact name="Address" field="address">
        {address ? (
          <ExternalText>{[address.city, address.state].filter(Boolean).join(', ')}</ExternalText>
        ) : (
          'none'
        )}
      </Fact>
      {!profile && (
        <Fact name="Identity" field="compliance_profile">
          none provided
        </Fact>
      )}
      {profile?.ssn && <Fact name="SSN">{profile.ssn}</Fact>}
      {profile?.dob && <Fact name="Date of birth">{profile.dob}</Fact>}
      {profile?.legal_business_name && (
        <Fact name="Legal name">
          <ExternalText>{profile.legal_business_name}</ExternalText>
        </Fact>
      )}
      {profile?.ein && <Fact name="EIN">{profile.ein}</Fact>}
      {profile?.website && (
        <Fact name="Website">
          <ExternalText className="break-all">{profile.website}</ExternalText>
        </Fact>
      )}
      {profile?.representatives?.map(({ name, email, phone }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: people may share a name, and their order is the service's
        <Fact key={`${name} ${at}`} name={at === 0 ? 'People' : ''}>
          <ExternalText>{[name, email, phone].filter(Boolean).join(' · ')}</ExternalText>
        </Fact>
      ))}
    </FactList>
  )
}

function RevealedFacts({ customer }: { customer: UnmaskedCustomer }) {
  const { compliance_profile: profile, address } = customer
  const addressText = [
    address?.address1,
    address?.address2,
    address?.city,
    address?.state,
    address?.zip,
  ]
    .filter(Boolean)
    .join(', ')
  const ip = customer.device?.ip_address
  return (
    <FactList>
      <Fact name="Email">
        <ExternalText className="select-all">{customer.email}</ExternalText>
      </Fact>
      <Fact name="Phone">
        <ExternalText className="select-all">{customer.phone}</ExternalText>
      </Fact>
      <Fact name="Address">
        {addressText ? <ExternalText>{addressText}</ExternalText> : 'none'}
      </Fact>
      {profile?.ssn && <Fact name="SSN">{profile.ssn}</Fact>}
      {profile?.dob && (
        <Fact name="Date of birth">
          <CalendarDate date={profile.dob} />
        </Fact>
      )}
      {profile?.ein && <Fact name="EIN">{profile.ein}</Fact>}
      {profile?.representatives?.map(({ name, email, phone }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: people may share a name, and their order is the service's
        <Fact key={`${name} ${at}`} name={at === 0 ? 'People' : ''}>
          <ExternalText>{[name, email, phone].filter(Boolean).join(' · ')}</ExternalText>
        </Fact>
      ))}
      <Fact name="Device">{ip === '0.0.0.0' ? 'not present' : ip}</Fact>
    </FactList>
  )
}

function MetadataPanel({ metadata }: { metadata: Customer['metadata'] }) {
  const entries = Object.entries(metadata)
  return (
    <Panel
      title="Metadata"
      aside={<span className="text-ink-3 text-xs">{entries.length} of 20 entries</span>}
    >
      <ReadableRecordField field="metadata">
        {entries.length === 0 && <p className="text-ink-3">No metadata.</p>}
      </ReadableRecordField>
      <FactList>
        {entries.map(([key, value]) => (
          <Fact
            key={key}
            name={<ExternalText className="break-all font-mono text-xs">{key}</ExternalText>}
          >
            <ExternalText className="break-all">{value}</ExternalText>
          </Fact>
        ))}
      </FactList>
    </Panel>
  )
}

type CustomerBackgroundPanelsProps = {
  customer: Customer
  owner: OwnerAccount
  facts: CustomerRelatedReads
}

export const CustomerBackgroundPanels = ({
  customer,
  owner,
  facts,
}: CustomerBackgroundPanelsProps) => (
  <>
    <CustomerLinks id={customer.id} account={owner.account} facts={facts} />
    <CustomerRecordPanel customer={customer} owner={owner} />
    <PrivacyPanel customer={customer} owner={owner} />
  </>
)
