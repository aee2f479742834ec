'use client'

import type { useAccountChoices } from '@/components/kits/form/account-choices'
import { FieldSection } from '@/components/kits/form/field-section'
import { Button } from '@/components/ui/button'
import { Checkbox, Field, Select } from '@/components/ui/field'
import { environments, type Role, roles } from '@/lib/operations/define'
import {
  governedOperationIds,
  isBlockOnlyOperation,
  type RuleControl,
  ruleControls,
} from '@/lib/operations/policies'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import { ConditionFields } from './condition-fields'
import { createRuleDraft, type RuleDraft } from './draft'

type AccountChoiceList = ReturnType<typeof useAccountChoices>['accounts']

type RuleFieldsProps = {
  rule: RuleDraft
  number: number
  accounts: AccountChoiceList
  faultOf: (field: string) => string | undefined
  onChange: (rule: RuleDraft) => void
  onRemove: () => void
}

const controlLabels: Readonly<Record<RuleControl, string>> = {
  approve: 'Require approval',
  block: 'Block',
}

export function RuleFields({
  rule,
  number,
  accounts,
  faultOf,
  onChange,
  onRemove,
}: RuleFieldsProps) {
  const isBlockRule = rule.control === 'block'
  return (
    <FieldSection title={`Rule ${number}`}>
      <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <Field label="To" error={faultOf('operation')}>
          {(control) => (
            <Select
              {...control}
              value={rule.operation}
              onChange={(event) =>
                onChange(createRuleDraft(event.target.value as ServiceOperationId, rule.key))
              }
            >
              {governedOperationIds.map((id) => (
                <option key={id} value={id}>
                  {getServiceOperation(id).verbPhrase}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Control" error={faultOf('control')}>
          {(control) => (
            <Select
              {...control}
              value={rule.control}
              onChange={(event) =>
                onChange({ ...rule, control: event.target.value as RuleDraft['control'] })
              }
            >
              {ruleControls.map((each) => (
                <option
                  key={each}
                  value={each}
                  disabled={each === 'approve' && isBlockOnlyOperation(rule.operation)}
                >
                  {controlLabels[each]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Environment" error={faultOf('environment')}>
          {(control) => (
            <Select
              {...control}
              value={rule.environment}
              onChange={(event) =>
                onChange({ ...rule, environment: event.target.value as RuleDraft['environment'] })
              }
            >
              <option value="">Both</option>
              {environments.map((environment) => (
                <option key={environment} value={environment}>
                  {environment}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Account" error={faultOf('account')}>
          {(control) => (
            <Select
              {...control}
              value={rule.account}
              onChange={(event) => onChange({ ...rule, account: event.target.value })}
            >
              <option value="">All accounts</option>
              {accounts.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <ConditionFields
        rule={rule}
        faultOf={faultOf}
        onChange={(when) => onChange({ ...rule, when })}
      />
      <div className="flex flex-wrap items-end gap-x-8 gap-y-2">
        {!isBlockRule && <ApprovalFields rule={rule} faultOf={faultOf} onChange={onChange} />}
        <Button size="small" className="ml-auto" onClick={onRemove}>
          Remove rule {number}
        </Button>
      </div>
      {!isBlockRule && rule.second.length === 0 && (
        <p className="text-ink-3 text-xs">
          With no role chosen, nobody else is needed in this case.
        </p>
      )}
    </FieldSection>
  )
}

/** Fields for the requester roles, the approver roles and the number of approvers. */
function ApprovalFields({
  rule,
  faultOf,
  onChange,
}: Pick<RuleFieldsProps, 'rule' | 'faultOf' | 'onChange'>) {
  return (
    <>
      <RoleCheckboxes
        label="Can ask"
        choices={getServiceOperation(rule.operation).allow}
        chosen={rule.ask}
        error={faultOf('ask')}
        onChange={(ask) => onChange({ ...rule, ask })}
      />
      <RoleCheckboxes
        label="Must approve, one of"
        choices={roles.filter((role) => role !== 'viewer')}
        chosen={rule.second}
        error={faultOf('second')}
        onChange={(second) => onChange({ ...rule, second })}
      />
      <Field label="Approvers" error={faultOf('approvers')}>
        {(control) => (
          <Select
            {...control}
            value={rule.approvers ?? 1}
            onChange={(event) =>
              onChange({ ...rule, approvers: event.target.value === '2' ? 2 : undefined })
            }
          >
            <option value={1}>one other person</option>
            <option value={2}>two other people</option>
          </Select>
        )}
      </Field>
    </>
  )
}

type RoleCheckboxesProps = {
  label: string
  choices: readonly Role[]
  chosen: readonly Role[]
  error: string | undefined
  onChange: (chosen: Role[]) => void
}

function RoleCheckboxes({ label, choices, chosen, error, onChange }: RoleCheckboxesProps) {
  const toggleRole = (role: Role) =>
    onChange(choices.filter((each) => (each === role) !== chosen.includes(each)))
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium text-ink text-sm">{label}</legend>
      <div className="flex flex-wrap gap-x-4">
        {choices.map((role) => (
          <Checkbox
            key={role}
            label={role}
            checked={chosen.includes(role)}
            onChange={() => toggleRole(role)}
          />
        ))}
      </div>
      {error && <p className="font-medium text-bad text-xs">{error}</p>}
    </fieldset>
  )
}
