'use client'

import { Button } from '@/components/ui/button'
import { Field, Select } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { listConditionKinds, type PolicyCondition } from '@/lib/operations/policies'
import { type ConditionDraft, createConditionDraft, type RuleDraft, valueFieldNames } from './draft'

type ConditionFieldsProps = {
  rule: RuleDraft
  faultOf: (field: string) => string | undefined
  onChange: (when: RuleDraft['when']) => void
}

type ConditionFieldSpec = { label: string; value: string; inputMode: 'decimal' | 'numeric' }

const fieldSpecByCondition: Readonly<Record<PolicyCondition['is'], ConditionFieldSpec>> = {
  amount: { label: 'The amount is at least', value: 'Amount', inputMode: 'decimal' },
  day_sum: {
    label: 'The requester’s total of the day is above',
    value: 'Sum',
    inputMode: 'decimal',
  },
  first_payment: {
    label: 'It is the first payment with the bank account',
    value: '',
    inputMode: 'decimal',
  },
  new_bank_account: {
    label: 'The bank account is younger than',
    value: 'Days',
    inputMode: 'numeric',
  },
  raise: {
    label: 'It raises the amount of a payment that was released or approved',
    value: '',
    inputMode: 'decimal',
  },
}

/**
 * Edits the groups of conditions of a rule. The rule applies if all conditions of at least one
 * group are met, and always if it has no groups.
 */
export function ConditionFields({ rule, faultOf, onChange }: ConditionFieldsProps) {
  const { when, operation } = rule
  const conditionKinds = listConditionKinds(operation)
  if (conditionKinds.length === 0)
    return (
      <p className="text-ink-3 text-xs">
        This applies every time: the operation has no conditions.
      </p>
    )
  const firstKind = conditionKinds[0] as PolicyCondition['is']
  const changeConditionGroup = (at: number, group: readonly ConditionDraft[]) =>
    onChange(
      when.map((each, place) => (place === at ? group : each)).filter((each) => each.length > 0),
    )
  return (
    <div className="grid gap-2">
      {when.length === 0 && (
        <p className="text-ink-3 text-xs">Without a condition this applies every time.</p>
      )}
      {when.map((group, at) => (
        <fieldset key={group[0]?.key} className="grid gap-2 border-line border-l-2 pl-3">
          <legend className="font-medium text-ink-2 text-xs">
            {at === 0 ? 'Applies if' : 'or if'}
          </legend>
          {group.map((condition, place) => (
            <ConditionRow
              key={condition.key}
              condition={condition}
              kinds={conditionKinds}
              place={`${at + 1}.${place + 1}`}
              fault={
                faultOf(`when.${at}.${place}.${valueFieldNames[condition.is] ?? 'is'}`) ??
                faultOf(`when.${at}.${place}.is`)
              }
              onChange={(changed) =>
                changeConditionGroup(
                  at,
                  group.map((each) => (each.key === condition.key ? changed : each)),
                )
              }
              onRemove={() =>
                changeConditionGroup(
                  at,
                  group.filter(({ key }) => key !== condition.key),
                )
              }
            />
          ))}
          <div>
            <Button
              size="small"
              variant="quiet"
              onClick={() => changeConditionGroup(at, [...group, createConditionDraft(firstKind)])}
            >
              And another condition
            </Button>
          </div>
        </fieldset>
      ))}
      <div>
        <Button size="small" onClick={() => onChange([...when, [createConditionDraft(firstKind)]])}>
          {when.length === 0 ? 'Add a condition' : 'Or another condition'}
        </Button>
      </div>
    </div>
  )
}

type ConditionRowProps = {
  condition: ConditionDraft
  kinds: readonly PolicyCondition['is'][]
  place: string
  fault: string | undefined
  onChange: (condition: ConditionDraft) => void
  onRemove: () => void
}

function ConditionRow({ condition, kinds, place, fault, onChange, onRemove }: ConditionRowProps) {
  const { value, inputMode } = fieldSpecByCondition[condition.is]
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
      <Field label={`Condition ${place}`} error={value === '' ? fault : undefined}>
        {(control) => (
          <Select
            {...control}
            value={condition.is}
            onChange={(event) =>
              onChange({ ...condition, is: event.target.value as PolicyCondition['is'] })
            }
          >
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {fieldSpecByCondition[kind].label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {value !== '' && (
        <Field label={value} error={fault}>
          {(control) => (
            <Input
              {...control}
              inputMode={inputMode}
              value={condition.value}
              onChange={(event) => onChange({ ...condition, value: event.target.value })}
            />
          )}
        </Field>
      )}
      <Button size="small" variant="quiet" className="mt-6" onClick={onRemove}>
        Remove condition {place}
      </Button>
    </div>
  )
}
