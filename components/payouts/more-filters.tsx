'use client'

import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { amountWord, reasonWords } from './filter-words'
import type { FilterName, PayoutView } from './payout-view'

/** The filters behind the button; their script comes when it is pressed. */
export const MoreFilters = ({ view, wrong }: { view: PayoutView; wrong: Partial<Record<FilterName, string>> }) => (
  <>
    <div className="grid grid-cols-2 gap-2">
      {(['min_amount', 'max_amount'] as const).map((name) => (
        <Field key={name} label={name === 'min_amount' ? 'Amount from' : 'to'} error={wrong[name]}>
          {(control) => (
            <Input {...control} name={name} inputMode="decimal" defaultValue={amountWord(view.filters[name])} placeholder="0.00" />
          )}
        </Field>
      ))}
      {(['min_payment_date', 'max_payment_date'] as const).map((name) => (
        <Field key={name} label={name === 'min_payment_date' ? 'Payment date from' : 'to'}>
          {(control) => <Input {...control} name={name} type="date" defaultValue={view.filters[name]} />}
        </Field>
      ))}
    </div>
    <Field label="Reason given">
      {(control) => (
        <Select {...control} name="status_reason" defaultValue={view.filters.status_reason ?? ''}>
          <option value="">Any reason</option>
          {Object.entries(reasonWords).map(([reason, words]) => (
            <option key={reason} value={reason}>
              {words}
            </option>
          ))}
        </Select>
      )}
    </Field>
    <Button type="submit" variant="primary">
      Apply
    </Button>
  </>
)
