'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { Field, Select } from '@/components/ui/field'

/** For which account. The choice goes into the URL, so that what the page reads and sends is in its scope. */
export function AccountSelect({ onChoose }: { onChoose: (account: string) => void }) {
  const { account, accounts } = usePageContext()
  return (
    <Field label="Account">
      {(control) => (
        <Select {...control} value={account ?? ''} onChange={(event) => onChoose(event.target.value)}>
          <option value="" disabled>
            Choose…
          </option>
          {accounts.map(({ id, name, status }) => (
            <option key={id} value={id}>
              {status === 'active' ? name : `${name} (${status})`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
