'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { ListLink, useList } from '@/components/kits/list/list-frame'
import { Checkbox } from '@/components/ui/checkbox'
import { Select } from '@/components/ui/select'
import type { CallResult } from '@/lib/operations/activity'
import { type OperationId, operationIds, rowOf } from '@/lib/operations/rows'
import { type ActivityView, activityHref, isNarrowed } from './activity-view'

const results: Readonly<Record<CallResult, string>> = { answered: 'Answered', refused: 'Refused', failed: 'Failed' }

/** What the log is narrowed to. Each choice writes the URL. */
export function RequestFilters({ view }: { view: ActivityView }) {
  const { environment, account } = useDesk()
  const { go } = useList()
  const set = (change: Partial<ActivityView>) => go(activityHref(environment, account, view, change))
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label="Operation"
        className="w-56 max-sm:w-full"
        value={view.operation ?? ''}
        onChange={(event) => set({ operation: (event.target.value || undefined) as OperationId | undefined })}
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
        className="w-36"
        value={view.result ?? ''}
        onChange={(event) => set({ result: (event.target.value || undefined) as CallResult | undefined })}
      >
        <option value="">Every answer</option>
        {Object.entries(results).map(([word, text]) => (
          <option key={word} value={word}>
            {text}
          </option>
        ))}
      </Select>
      <Checkbox label="Mine only" checked={view.mine} onChange={(event) => set({ mine: event.target.checked })} />
      {view.error && (
        <Chip text={`Error: ${view.error.replaceAll('_', ' ')}`} href={activityHref(environment, account, view, { error: undefined })} />
      )}
      {view.target && (
        <Chip
          text={`On ${view.target.split('/')[0]} …${view.target.slice(-6)}`}
          href={activityHref(environment, account, view, { target: undefined })}
        />
      )}
      {isNarrowed(view) && (
        <ListLink
          href={activityHref(environment, account, { tab: 'requests', mine: false, page: 1 })}
          className="rounded-sm px-1 text-accent text-xs hover:underline"
        >
          Clear all
        </ListLink>
      )}
    </div>
  )
}

const Chip = ({ text, href }: { text: string; href: string }) => (
  <ListLink
    href={href}
    className="inline-flex h-6 items-center gap-1 rounded-full border border-line bg-surface pr-1.5 pl-2.5 text-xs hover:bg-sunken pointer-coarse:h-8"
  >
    <span className="sr-only">Remove filter </span>
    {text}
    <span aria-hidden="true" className="text-ink-3">
      ✕
    </span>
  </ListLink>
)
