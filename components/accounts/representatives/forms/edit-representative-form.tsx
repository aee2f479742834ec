'use client'

import { RepresentativeIdentityPanel } from '@/components/accounts/representatives/record/person'
import { ActionForm } from '@/components/kits/form/action-form'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { useNow } from '@/components/kits/layout/browser-state'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordAccountText } from '@/components/kits/record/record-head'
import type { RecordContentProps } from '@/components/kits/record/record-panel'
import { toNewYorkDate } from '@/lib/dates'
import { representativeNouns } from '@/lib/features/accounts/labels'
import { representativeReasons } from '@/lib/features/accounts/labels/reasons'
import { representativeSchemas } from '@/lib/operations/representatives.schema'
import { recordPath } from '@/lib/routes'
import {
  ExternalIdFields,
  findRepresentativeFaults,
  PersonFields,
  RelationshipFields,
  type RepresentativeValues,
  toMetadataInput,
  toRepresentativeInput,
  toRepresentativeValues,
  useRelationshipWarnings,
} from './fields'

const operation = 'representatives.update'

export function EditRepresentativeForm({
  id,
  answer,
  actions,
  onRead,
}: RecordContentProps<'representatives.get'>) {
  const context = usePageContext()
  const today = toNewYorkDate(useNow())
  const { data: person, meta } = answer
  const account = person.account_id ? `acct_${person.account_id}` : null
  const backHref = recordPath(context, 'representatives', id, { account: context.account })
  const { form, typed, frame } = useActionForm<typeof operation, RepresentativeValues>({
    operation,
    target: id,
    account: null,
    actions,
    snapshot: meta.snapshot,
    secret: ['dob', 'ssn_last4'],
    values: toRepresentativeValues(person),
    schema: representativeSchemas[operation].input,
    toInput: (values) => ({
      id,
      ...toRepresentativeInput(values),
      ...toMetadataInput(values.metadata, person.metadata),
    }),
    check: (values) => findRepresentativeFaults(values, today),
    reasons: representativeReasons,
    names: [person.name],
    back: backHref,
    done: () => backHref,
    edited: { one: representativeNouns.one, readAt: meta.read_at },
    onMoved: onRead,
  })
  const warnings = useRelationshipWarnings(typed, id)
  return (
    <div className="xl:flex xl:items-start xl:justify-center xl:gap-6">
      <div className="min-w-0 xl:max-w-4xl xl:flex-1">
        <ActionForm
          {...frame}
          layout="page"
          title={
            <>
              Edit <ExternalText>{person.name}</ExternalText>
            </>
          }
          meta={account && <RecordAccountText owner={{ of: 'account', account, why: null }} />}
          send={`Save ${person.name ?? 'the representative'}`}
        >
          <PersonFields form={form} again={retypeNote} />
          <RelationshipFields form={form} typed={typed} warnings={warnings} />
          <ExternalIdFields form={form} typed={typed} before={person.metadata} />
        </ActionForm>
      </div>
      <aside className="pt-4 xl:w-80 xl:pt-17" aria-label="On file">
        <RepresentativeIdentityPanel person={person} account={account} />
      </aside>
    </div>
  )
}

const retypeNote = (
  <p className="text-ink-2 text-sm">
    Saving replaces all data of the representative. These four values are hidden here, so enter them
    again even if they did not change. If your role can reveal them, use Reveal on this page; every
    reveal is recorded.
  </p>
)
