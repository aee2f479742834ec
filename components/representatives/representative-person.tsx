'use client'

import { Fact, Facts } from '@/components/kits/layout/facts'
import { Panel } from '@/components/kits/layout/panel'
import { Reveal } from '@/components/kits/record/reveal'
import { useUnmaskClosed } from '@/components/kits/record/use-unmask-closed'
import { dayText } from '@/lib/dates'
import type { Representative } from '@/lib/operations/representatives.schema'

type Values = Partial<Pick<Representative, 'dob' | 'ssn_last4' | 'email' | 'mobile_number' | 'phone'>>

/** Who it is: masked, and for a minute and a reason in full. */
export function RepresentativePerson({ person, account }: { person: Representative; account: string | null }) {
  const closed = useUnmaskClosed(person.account_id)
  return (
    <Panel title="Person">
      <Reveal
        operation="representatives.unmask"
        id={person.id}
        account={account}
        what="what is masked of this person"
        names={[person.name]}
        closed={closed}
        masked={<PersonFacts values={person} />}
      >
        {(values) => <PersonFacts values={values} shown />}
      </Reveal>
    </Panel>
  )
}

function PersonFacts({ values, shown = false }: { values: Values; shown?: boolean }) {
  const text = (value: string | undefined) => value && <bdi className={shown ? 'select-all font-medium' : 'text-ink-2'}>{value}</bdi>
  return (
    <Facts>
      <Fact name="Born">{text(values.dob && (shown ? dayText(values.dob) : values.dob))}</Fact>
      <Fact name="SSN, last 4">{text(values.ssn_last4)}</Fact>
      <Fact name="E-mail">{text(values.email)}</Fact>
      <Fact name="Mobile">{text(values.mobile_number)}</Fact>
      {values.phone && <Fact name="Phone">{text(values.phone)}</Fact>}
    </Facts>
  )
}
