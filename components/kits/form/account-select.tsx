'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { Field, Select } from '@/components/ui/field'
import { AccountChoicesStatus, useAccountChoices } from './account-choices'

/** `onChoose` must put the account into the URL: the page reads and writes in that account. */
export function AccountSelect({ onChoose }: { onChoose: (account: string) => void }) {
  const { account } = usePageContext()
  const choices = useAccountChoices()
  return (
    <div className="grid gap-1">
      <Field label="Account">
        {(control) => (
          <Select
            {...control}
            value={account ?? ''}
            onChange={(event) => onChoose(event.target.value)}
          >
            <option value="" disabled>
              Choose…
            </option>
            {choices.accounts.map(({ id, name, status }) => (
              <option key={id} value={id}>
                {status === 'active' ? name : `${name} (${status})`}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <AccountChoicesStatus choices={choices} />
    </div>
  )
}
