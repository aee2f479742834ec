'use client'

import { Fact, Facts } from '@/components/kits/layout/facts'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { RecordFacts } from '@/components/kits/record/record-json'
import { Reveal } from '@/components/kits/record/reveal'
import type { Owner } from '@/components/kits/record/use-owner'
import { ShortId } from '@/components/ui/short-id'
import { dayText } from '@/lib/dates'
import type { Customer, UnmaskedCustomer } from '@/lib/operations/customers.schema'
import { customerNouns } from './customer-nouns'

type CustomerRecordProps = { customer: Customer; owner: Owner }

/** Who it is, masked, with the way to reveal it; and the rest of what is on record. */
export function CustomerRecord({ customer, owner }: CustomerRecordProps) {
  return (
    <>
      <Panel title="Who it is">
        <Reveal
          operation="customers.unmask"
          id={customer.id}
          account={owner.account}
          what="contact and identity data"
          names={[customer.name]}
          closed={owner.why}
          masked={<MaskedFacts customer={customer} />}
        >
          {(values) => <RevealedFacts customer={values} />}
        </Reveal>
      </Panel>
      <RecordFacts nouns={customerNouns} record={customer}>
        <Facts>
          <Fact name="Id">
            <ShortId id={customer.id} what="customer id" />
          </Fact>
          <Fact name="External id">{customer.external_id ? <ShortId id={customer.external_id} what="external id" /> : 'none'}</Fact>
          <Fact name="Created">{customer.created_at && <RelativeTime at={customer.created_at} />}</Fact>
          <Fact name="Changed">{customer.updated_at && <RelativeTime at={customer.updated_at} />}</Fact>
          <Fact name="Verified">{customer.config?.processing_method && methods[customer.config.processing_method]}</Fact>
          {customer.config?.sandbox_outcome && <Fact name="Sandbox outcome">{customer.config.sandbox_outcome}</Fact>}
        </Facts>
      </RecordFacts>
      <Metadata metadata={customer.metadata} />
    </>
  )
}

const methods: Readonly<Record<string, string>> = {
  inline: 'at once, when it is created',
  background: 'a little later, in the background',
  skip: 'left out, as the account may',
}

function MaskedFacts({ customer }: { customer: Customer }) {
  const { compliance_profile: profile, address } = customer
  return (
    <Facts>
      <Fact name="Kind">{customer.type}</Fact>
      <Fact name="E-mail">{customer.email && <bdi>{customer.email}</bdi>}</Fact>
      <Fact name="Phone">{customer.phone && <bdi>{customer.phone}</bdi>}</Fact>
      <Fact name="Address">{address ? <bdi>{[address.city, address.state].filter(Boolean).join(', ')}</bdi> : 'none'}</Fact>
      {!profile && <Fact name="Identity">nothing was given</Fact>}
      {profile?.ssn && <Fact name="SSN">{profile.ssn}</Fact>}
      {profile?.dob && <Fact name="Born">{profile.dob}</Fact>}
      {profile?.legal_business_name && (
        <Fact name="Legal name">
          <bdi>{profile.legal_business_name}</bdi>
        </Fact>
      )}
      {profile?.ein && <Fact name="EIN">{profile.ein}</Fact>}
      {profile?.website && (
        <Fact name="Website">
          <bdi className="break-all">{profile.website}</bdi>
        </Fact>
      )}
      {profile?.representatives?.map(({ name, email, phone }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: people may share a name, and their order is the service's
        <Fact key={`${name} ${at}`} name={at === 0 ? 'People' : ''}>
          <bdi>{[name, email, phone].filter(Boolean).join(' · ')}</bdi>
        </Fact>
      ))}
    </Facts>
  )
}

function RevealedFacts({ customer }: { customer: UnmaskedCustomer }) {
  const { compliance_profile: profile, address } = customer
  const street = [address?.address1, address?.address2, address?.city, address?.state, address?.zip].filter(Boolean).join(', ')
  const ip = customer.device?.ip_address
  return (
    <Facts>
      <Fact name="E-mail">
        <bdi className="select-all">{customer.email}</bdi>
      </Fact>
      <Fact name="Phone">
        <bdi className="select-all">{customer.phone}</bdi>
      </Fact>
      <Fact name="Address">{street ? <bdi>{street}</bdi> : 'none'}</Fact>
      {profile?.ssn && <Fact name="SSN">{profile.ssn}</Fact>}
      {profile?.dob && <Fact name="Born">{dayText(profile.dob)}</Fact>}
      {profile?.ein && <Fact name="EIN">{profile.ein}</Fact>}
      {profile?.representatives?.map(({ name, email, phone }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: people may share a name, and their order is the service's
        <Fact key={`${name} ${at}`} name={at === 0 ? 'People' : ''}>
          <bdi>{[name, email, phone].filter(Boolean).join(' · ')}</bdi>
        </Fact>
      ))}
      <Fact name="Device">{ip === '0.0.0.0' ? 'none was present' : ip}</Fact>
    </Facts>
  )
}

function Metadata({ metadata }: { metadata: Customer['metadata'] }) {
  const entries = Object.entries(metadata)
  return (
    <Panel title="Metadata" aside={<span className="text-ink-3 text-xs">{entries.length} of 20 keys</span>}>
      {entries.length === 0 && <p className="text-ink-3">No metadata.</p>}
      <Facts>
        {entries.map(([key, value]) => (
          <Fact key={key} name={<bdi className="break-all font-mono text-xs">{key}</bdi>}>
            <bdi className="break-all">{value}</bdi>
          </Fact>
        ))}
      </Facts>
    </Panel>
  )
}
