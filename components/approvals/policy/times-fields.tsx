'use client'

import { Panel } from '@/components/kits/layout/panel'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { environments } from '@/lib/operations/define'
import type { PolicyDraft } from './draft'

type DurationFieldsProps = {
  draft: PolicyDraft
  faultOf: (field: string) => string | undefined
  onChange: (draft: PolicyDraft) => void
}

export function DurationFields({ draft, faultOf, onChange }: DurationFieldsProps) {
  return (
    <>
      <Panel title="Confirmations">
        <Field
          label="Minutes a confirmation counts"
          hint="For moves of money that need no second person, reveals and exports. 0: each one asks the person to confirm."
          error={faultOf('proof_minutes')}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              className="max-w-32"
              value={draft.minutes}
              onChange={(event) => onChange({ ...draft, minutes: event.target.value })}
            />
          )}
        </Field>
      </Panel>
      <Panel title="Deletions">
        <div className="grid max-w-xl grid-cols-2 gap-3">
          {environments.map((environment) => (
            <Field
              key={environment}
              label={`Hours to wait in ${environment}`}
              hint="Between the request and the deletion"
              error={faultOf(`cooling_off_hours.${environment}`)}
            >
              {(control) => (
                <Input
                  {...control}
                  inputMode="numeric"
                  value={draft.hours[environment]}
                  onChange={(event) =>
                    onChange({
                      ...draft,
                      hours: { ...draft.hours, [environment]: event.target.value },
                    })
                  }
                />
              )}
            </Field>
          ))}
        </div>
      </Panel>
    </>
  )
}
