'use client'

import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Field, type FieldControl } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { amountWord } from './filter-words'
import type { FilterSpec, ListSpec, ListView } from './list-spec'

type MoreFiltersProps = { spec: ListSpec; view: ListView; wrong: Readonly<Record<string, string>> }

/** The filters behind the button; their script comes when it is pressed. Two short ones share a line. */
export const MoreFilters = ({ spec, view, wrong }: MoreFiltersProps) => (
  <>
    <div className="grid grid-cols-2 items-end gap-2">
      {Object.entries(spec.filters)
        // What the tab says already is not asked again.
        .filter(([name, filter]) => filter.kind !== 'link' && !(name in view.tab.query))
        .map(([name, filter]) =>
          filter.kind === 'some' ? (
            <Some key={name} name={name} filter={filter} value={view.filters[name]} />
          ) : (
            <Field key={name} label={filter.label} error={wrong[name]} className={isShort(filter) ? undefined : 'col-span-2'}>
              {(control) => <Control control={control} name={name} filter={filter} value={view.filters[name]} />}
            </Field>
          ),
        )}
    </div>
    <Button type="submit" variant="primary">
      Apply
    </Button>
  </>
)

const isDay = ({ kind }: FilterSpec) => kind === 'date' || kind === 'since' || kind === 'until'

const isShort = (filter: FilterSpec) => filter.kind === 'amount' || filter.kind === 'yesno' || isDay(filter)

/** Tick boxes for a filter of which several may hold. The empty field says that the boxes were there, none of them ticked. */
function Some({ name, filter, value = '' }: { name: string; filter: FilterSpec; value?: string }) {
  const ticked = value.split(',')
  return (
    <fieldset className="col-span-2">
      <legend className="mb-1 font-medium text-ink text-sm">{filter.label}</legend>
      <input type="hidden" name={name} value="" />
      <div className="grid grid-cols-2 gap-x-2">
        {Object.entries(filter.choices ?? {}).map(([word, label]) => (
          <Checkbox key={word} name={name} value={word} label={label} defaultChecked={ticked.includes(word)} className="min-h-7 py-0.5" />
        ))}
      </div>
    </fieldset>
  )
}

type ControlProps = { control: FieldControl; name: string; filter: FilterSpec; value: string | undefined }

function Control({ control, name, filter, value }: ControlProps) {
  const shared = { ...control, name }
  if (filter.kind === 'amount') return <Input {...shared} inputMode="decimal" defaultValue={amountWord(value)} placeholder="0.00" />
  if (isDay(filter)) return <Input {...shared} type="date" defaultValue={value?.slice(0, 10)} />
  if (filter.kind === 'choice' || filter.kind === 'yesno') {
    const choices = filter.kind === 'yesno' ? { true: 'yes', false: 'no' } : (filter.choices ?? {})
    return (
      <Select {...shared} defaultValue={value ?? ''}>
        <option value="">Any</option>
        {Object.entries(choices).map(([word, label]) => (
          <option key={word} value={word}>
            {label}
          </option>
        ))}
      </Select>
    )
  }
  return <Input {...shared} defaultValue={value} placeholder={filter.placeholder} maxLength={100} autoComplete="off" />
}
