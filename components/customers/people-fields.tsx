'use client'

import type { UseFormReturn } from 'react-hook-form'
import { setField, TextField } from '@/components/kits/form/fields'
import { Button } from '@/components/ui/button'
import type { CustomerValues, PersonValues } from './customer-values'

/** Most people a business can name (provider facts 1.1). */
const most = 20

type PeopleFieldsProps = { form: UseFormReturn<CustomerValues>; people: readonly PersonValues[] }

/** Who speaks for the business, one line each. */
export function PeopleFields({ form, people }: PeopleFieldsProps) {
  const change = (next: PersonValues[]) => setField(form, 'compliance_profile.representatives', next)
  return (
    <div className="grid gap-2 sm:col-span-2">
      <h3 className="font-medium text-sm">People who speak for it</h3>
      {people.map((person, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place; the fields are registered by it
        <div key={at} className="grid items-start gap-2 sm:grid-cols-[2fr_2fr_1.5fr_auto]">
          <TextField form={form} name={`compliance_profile.representatives.${at}.name`} label={`Name ${at + 1}`} maxLength={200} />
          <TextField form={form} name={`compliance_profile.representatives.${at}.email`} label="E-mail" type="email" maxLength={254} />
          <TextField form={form} name={`compliance_profile.representatives.${at}.phone`} label="Phone" type="tel" maxLength={16} />
          <Button
            variant="quiet"
            className="sm:mt-6"
            aria-label={`Remove ${person.name || `person ${at + 1}`}`}
            onClick={() => change(people.filter((_, other) => other !== at))}
          >
            Remove
          </Button>
        </div>
      ))}
      <span>
        <Button
          size="small"
          disabledReason={people.length >= most ? `${most} people are the most a business can name.` : null}
          onClick={() => change([...people, { name: '', email: '', phone: '' }])}
        >
          Add a person
        </Button>
      </span>
    </div>
  )
}
