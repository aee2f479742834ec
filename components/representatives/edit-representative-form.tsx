'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Outcome } from '@/components/kits/action/outcome'
import { useClosed } from '@/components/kits/action/use-closed'
import { useOutcome } from '@/components/kits/action/use-outcome'
import { useWriteForm } from '@/components/kits/action/use-write-form'
import { renewKey } from '@/components/kits/action/write-draft'
import { FormPage } from '@/components/kits/form/form-page'
import { useSeen } from '@/components/kits/form/use-seen'
import { useNow } from '@/components/kits/layout/clock'
import { useDesk } from '@/components/kits/layout/desk-context'
import { OwnerWords } from '@/components/kits/record/record-head'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { bankDay } from '@/lib/dates'
import { representativeSchemas } from '@/lib/operations/representatives.schema'
import { recordPath } from '@/lib/routes'
import { OwnFields, PersonFields, RelationshipFields } from './representative-fields'
import { RepresentativePerson } from './representative-person'
import { faultsOf, metadataInput, personInput, type RepresentativeValues, valuesOf } from './representative-values'
import { useRelationshipWarnings } from './use-account-people'

const operation = 'representatives.update'

type EditProps = RecordProps<'representatives.get'>

/** Changes a representative and goes back to their page. */
export function EditRepresentativeForm(props: EditProps) {
  const [again, setAgain] = useState(0)
  const startOver = () => {
    renewKey(operation, props.id)
    setAgain(again + 1)
  }
  return <Form key={again} {...props} onStartOver={startOver} />
}

function Form({ onStartOver, ...props }: EditProps & { onStartOver: () => void }) {
  const { id, answer, actions, correlationId, onRead } = props
  const desk = useDesk()
  const router = useRouter()
  const today = bankDay(useNow())
  const { seen, notice } = useSeen(answer, 'representative')
  const person = seen.data
  const account = person.account_id ? `acct_${person.account_id}` : null
  const state = useOutcome({ actions, stale: ['representatives'] })
  const closed = useClosed({ live: state.live })(operation, null)
  const back = recordPath(desk.environment, 'representatives', id, { account: desk.account })
  const tell = (outcome: Outcome | null) => {
    state.setOutcome(outcome)
    if (outcome?.error?.code === 'changed') onRead()
  }
  const { form, typed, send, pending, idempotencyKey } = useWriteForm<typeof operation, RepresentativeValues>({
    operation,
    target: id,
    account: null,
    correlationId,
    snapshot: seen.meta.snapshot,
    secret: ['dob', 'ssn_last4'],
    values: valuesOf(person),
    schema: representativeSchemas[operation].input,
    toInput: (values) => ({ id, ...personInput(values), ...metadataInput(values.metadata, person.metadata) }),
    check: (values) => faultsOf(values, today),
    onOutcome: tell,
    onDone: () => router.push(back),
  })
  const warnings = useRelationshipWarnings(typed, id)
  return (
    <div className="xl:flex xl:items-start xl:justify-center xl:gap-6">
      <div className="min-w-0 xl:max-w-4xl xl:flex-1">
        <FormPage
          title={
            <>
              Edit <bdi>{person.name}</bdi>
            </>
          }
          meta={account && <OwnerWords owner={{ account, why: null }} />}
          outcome={state.outcome}
          onDismiss={() => state.setOutcome(null)}
          onSignedIn={state.signedIn}
          onStartOver={onStartOver}
          send={`Save ${person.name ?? 'the representative'}`}
          pending={pending}
          closed={closed}
          idempotencyKey={idempotencyKey}
          onSend={() => void send()}
          onBack={() => router.push(back)}
        >
          {notice}
          <PersonFields form={form} again={typeAgain} />
          <RelationshipFields form={form} typed={typed} warnings={warnings} />
          <OwnFields form={form} typed={typed} before={person.metadata} />
        </FormPage>
      </div>
      <aside className="pt-4 xl:w-80 xl:pt-17" aria-label="Kept now">
        <RepresentativePerson person={person} account={account} />
      </aside>
    </div>
  )
}

const typeAgain = (
  <p className="text-ink-2 text-sm">
    Saving replaces the whole person, and these four are masked here. A mask is never sent in their place, so type them again, even if they
    did not change. Who may reveal them can look them up beside the form; that goes on record.
  </p>
)
