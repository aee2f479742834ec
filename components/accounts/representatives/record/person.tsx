'use client'

import type { ReactNode } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { Fact, FactList, Panel } from '@/components/kits/layout/panel'
import { CalendarDate } from '@/components/kits/layout/relative-time'
import { RevealableValue, useUnmaskDisabledReason } from '@/components/kits/record/reveal'
import type { Representative } from '@/lib/operations/representatives.schema'

type IdentityValues = Partial<
  Pick<Representative, 'dob' | 'ssn_last4' | 'email' | 'mobile_number' | 'phone'>
>

/** A user who states a reason sees the masked data in full for one minute. */
export function RepresentativeIdentityPanel({
  person,
  account,
}: {
  person: Representative
  account: string | null
}) {
  const disabledReason = useUnmaskDisabledReason(person.account_id)
  return (
    <Panel title="Person">
      <RevealableValue
        operation="representatives.unmask"
        id={person.id}
        account={account}
        what="the masked data of this person"
        names={[person.name]}
        disabledReason={disabledReason}
        masked={<PersonFacts values={person} />}
      >
        {(values) => <PersonFacts values={values} shown />}
      </RevealableValue>
    </Panel>
  )
}

function PersonFacts({ values, shown = false }: { values: IdentityValues; shown?: boolean }) {
  const renderValue = (value: ReactNode) =>
    value && (
      <ExternalText className={shown ? 'select-all font-medium' : 'text-ink-2'}>
        {value}
      </ExternalText>
    )
  return (
    <FactList>
      <Fact name="Date of birth">
        {renderValue(values.dob && (shown ? <CalendarDate date={values.dob} /> : values.dob))}
      </Fact>
      <Fact name="SSN, last 4">{renderValue(values.ssn_last4)}</Fact>
      <Fact name="Email">{renderValue(values.email)}</Fact>
      <Fact name="Mobile phone">{renderValue(values.mobile_number)}</Fact>
      {values.phone && <Fact name="Phone">{renderValue(values.phone)}</Fact>}
    </FactList>
  )
}
