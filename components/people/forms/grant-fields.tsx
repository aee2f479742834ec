'use client'

import { AccountChoicesStatus, useAccountChoices } from '@/components/kits/form/account-choices'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Field, Select } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { GrantDraft } from '@/lib/features/people/grant-draft'
import { type Environment, environments, type Role, roles } from '@/lib/operations/define'

type GrantFieldsProps = {
  draft: GrantDraft
  faultOf: (field: string) => string | undefined
  onChange: (draft: GrantDraft) => void
}

export function GrantFields({ draft, faultOf, onChange }: GrantFieldsProps) {
  const context = usePageContext()
  const accountChoices = useAccountChoices()
  const isCurrentEnvironment = draft.environment === context.environment
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-4">
      <Field label="Role" error={faultOf('role')}>
        {(control) => (
          <Select
            {...control}
            value={draft.role}
            onChange={(event) => onChange({ ...draft, role: event.target.value as Role })}
          >
            {roles.map((role) => (
              <option key={role}>{role}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Environment" error={faultOf('environment')}>
        {(control) => (
          <Select
            {...control}
            value={draft.environment}
            onChange={(event) =>
              onChange({ ...draft, environment: event.target.value as Environment, account: '' })
            }
          >
            {environments.map((environment) => (
              <option key={environment}>{environment}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Account"
        error={faultOf('account')}
        hint={
          isCurrentEnvironment
            ? undefined
            : `Accounts of ${draft.environment} are chosen on its own page`
        }
      >
        {(control) => (
          <Select
            {...control}
            value={draft.account}
            onChange={(event) => onChange({ ...draft, account: event.target.value })}
          >
            <option value="">the whole platform</option>
            {isCurrentEnvironment &&
              context.integration !== 'account' &&
              accountChoices.accounts.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </Select>
        )}
      </Field>
      <Field label="Access ends (optional)" error={faultOf('expires_at')}>
        {(control) => (
          <Input
            {...control}
            type="date"
            value={draft.until}
            onChange={(event) => onChange({ ...draft, until: event.target.value })}
          />
        )}
      </Field>
      {isCurrentEnvironment && (
        <AccountChoicesStatus choices={accountChoices} className="lg:col-span-4" />
      )}
    </div>
  )
}
