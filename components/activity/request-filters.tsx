'use client'

import { useEffect, useId, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { FilterChip } from '@/components/kits/list/filter-chip'
import { ListLink, useList } from '@/components/kits/list/list-frame'
import { Checkbox } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import { Label } from '@/components/ui/label'
import { Select } from '@/components/ui/select'
import type { CallFilter, CallResult } from '@/lib/operations/activity'
import { type OperationId, operationIds, rowOf } from '@/lib/operations/rows'
import { type ActivityView, activityHref, isNarrowed } from './activity-view'

const results: Readonly<Record<CallResult, string>> = { answered: 'Answered', refused: 'Refused', failed: 'Failed' }

type RequestFiltersProps = { view: ActivityView /** Whose calls are shown, where the filter is one person. */; person: string | undefined }

/** What the log is narrowed to. Each choice writes the URL. */
export function RequestFilters({ view, person }: RequestFiltersProps) {
  const { environment, account } = useDesk()
  const { go } = useList()
  const set = (change: CallFilter) => go(activityHref(environment, account, view, change))
  const [operation, setOperation] = useChosen(view.operation ?? '')
  const [result, setResult] = useChosen(view.result ?? '')
  const [mine, setMine] = useChosen(view.person === 'me')
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Select
        aria-label="Operation"
        className="w-52 max-sm:w-full"
        value={operation}
        onChange={(event) => {
          setOperation(event.target.value)
          set({ operation: (event.target.value || undefined) as OperationId | undefined })
        }}
      >
        <option value="">Every operation</option>
        {operationIds.map((id) => (
          <option key={id} value={id}>
            {rowOf(id).does}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Answer"
        className="w-32"
        value={result}
        onChange={(event) => {
          setResult(event.target.value)
          set({ result: (event.target.value || undefined) as CallResult | undefined })
        }}
      >
        <option value="">Every answer</option>
        {Object.entries(results).map(([word, text]) => (
          <option key={word} value={word}>
            {text}
          </option>
        ))}
      </Select>
      <Checkbox
        label="Mine only"
        checked={mine}
        onChange={(event) => {
          setMine(event.target.checked)
          set({ person: event.target.checked ? 'me' : undefined })
        }}
      />
      <Day label="From" value={view.from} onDay={(from) => set({ from })} />
      <Day label="To" value={view.to} onDay={(to) => set({ to })} />
      <Chips view={view} person={person} />
      {isNarrowed(view) && (
        <ListLink
          href={activityHref(environment, account, { tab: 'requests', page: 1 })}
          className="rounded-sm px-1 text-accent text-xs hover:underline"
        >
          Clear all
        </ListLink>
      )}
    </div>
  )
}

/** What was chosen, at once; the URL follows when the rows are there, and has the last word. */
function useChosen<T>(value: T) {
  const [chosen, choose] = useState(value)
  useEffect(() => choose(value), [value])
  return [chosen, choose] as const
}

/** A day of UTC. While it is typed its year passes through the first century, which no log reaches. */
function Day({ label, value = '', onDay }: { label: string; value?: string; onDay: (day: string | undefined) => void }) {
  const id = useId()
  const [typed, setTyped] = useChosen(value)
  return (
    <span className="flex items-center gap-1.5">
      <Label htmlFor={id} className="text-ink-3 text-xs">
        {label}
        <span className="sr-only"> (UTC)</span>
      </Label>
      <Input
        id={id}
        type="date"
        min="2000-01-01"
        max="2199-12-31"
        className="w-34"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          if (event.target.validity.valid) onDay(event.target.value || undefined)
        }}
      />
    </span>
  )
}

/** The filters that come by a link: each can be taken away. */
function Chips({ view, person }: RequestFiltersProps) {
  const texts: [keyof CallFilter, string | undefined][] = [
    ['error', view.error && `Error: ${view.error.replaceAll('_', ' ')}`],
    ['detail', view.detail && `Words: ${view.detail}`],
    ['target', view.target && `On ${view.target.split('/')[0]?.replaceAll('_', ' ').replace(/s$/, '')} …${view.target.slice(-6)}`],
    ['request', view.request && `Id …${view.request.slice(-6)}`],
    ['person', view.person && view.person !== 'me' ? `By ${person ?? 'one person'}` : undefined],
  ]
  return texts.map(([name, text]) => text && <Chip key={name} view={view} name={name} text={text} />)
}

function Chip({ view, name, text }: { view: ActivityView; name: keyof CallFilter; text: string }) {
  const { environment, account } = useDesk()
  return <FilterChip href={activityHref(environment, account, view, { [name]: undefined })} text={text} />
}
