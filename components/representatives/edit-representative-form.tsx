'use client'

import { useChangedMeanwhile } from '@/components/kits/form/changed-meanwhile'
import { FormPage } from '@/components/kits/form/form-page'
import { useFormPage } from '@/components/kits/form/use-form-page'
import { useNow } from '@/components/kits/layout/clock'
import { useDesk } from '@/components/kits/layout/desk-context'
import { OwnerWords } from '@/components/kits/record/record-head'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { bankDay } from '@/lib/dates'
import { representativeReasons } from '@/lib/domain/representative-reasons'
import { representativeSchemas } from '@/lib/operations/representatives.schema'
import { recordPath } from '@/lib/routes'
import { OwnFields, PersonFields, RelationshipFields } from './representative-fields'
import { representativeNouns } from './representative-nouns'
import { RepresentativePerson } from './representative-person'
import { faultsOf, metadataInput, personInput, type RepresentativeValues, valuesOf } from './representative-values'
import { useRelationshipWarnings } from './use-account-people'

const operation = 'representatives.update'

/** Changes a representative and goes back to their page. */
export function EditRepresentativeForm({ id, answer, actions, onRead }: RecordProps<'representatives.get'>) {
  const desk = useDesk()
  const today = bankDay(useNow())
  const { data: person, meta } = answer
  const account = person.account_id ? `acct_${person.account_id}` : null
  const back = recordPath(desk.environment, 'representatives', id, { account: desk.account })
  const { form, typed, page } = useFormPage<typeof operation, RepresentativeValues>({
    operation,
    target: id,
    account: null,
    actions,
    snapshot: meta.snapshot,
    secret: ['dob', 'ssn_last4'],
    values: valuesOf(person),
    schema: representativeSchemas[operation].input,
    toInput: (values) => ({ id, ...personInput(values), ...metadataInput(values.metadata, person.metadata) }),
    check: (values) => faultsOf(values, today),
    reasons: representativeReasons,
    names: [person.name],
    back,
    done: () => back,
    onMoved: onRead,
  })
  const changed = useChangedMeanwhile({ values: valuesOf(person), snapshot: meta.snapshot }, { form, typed }, representativeNouns.one)
  const warnings = useRelationshipWarnings(typed, id)
  return (
    <div className="xl:flex xl:items-start xl:justify-center xl:gap-6">
      <div className="min-w-0 xl:max-w-4xl xl:flex-1">
        <FormPage
          {...page}
          title={
            <>
              Edit <bdi>{person.name}</bdi>
            </>
          }
          meta={account && <OwnerWords owner={{ account, why: null }} />}
          send={`Save ${person.name ?? 'the representative'}`}
        >
          {changed}
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
