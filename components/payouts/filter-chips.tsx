'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { filterTexts } from './filter-words'
import { ListLink } from './list-frame'
import { type PayoutView, withoutFilters } from './payout-view'

/** What the list is narrowed to; each chip takes its own filter away. */
export function FilterChips({ view }: { view: PayoutView }) {
  const { environment, account } = useDesk()
  const chips = filterTexts(view)
  if (chips.length === 0) return null
  return (
    <ul className="flex flex-wrap items-center gap-1" aria-label="Active filters">
      {chips.map(({ name, text }) => (
        <li key={name}>
          <ListLink
            href={withoutFilters(environment, account, view, [name])}
            className="inline-flex h-6 max-w-64 items-center gap-1 rounded-full border border-line bg-surface pr-1.5 pl-2.5 text-xs hover:bg-sunken pointer-coarse:h-8"
          >
            <span className="sr-only">Remove filter </span>
            <bdi className="truncate">{text}</bdi>
            <span aria-hidden="true" className="text-ink-3">
              ✕
            </span>
          </ListLink>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <ListLink
            href={withoutFilters(
              environment,
              account,
              view,
              chips.map((chip) => chip.name),
            )}
            className="rounded-sm px-1 text-accent text-xs hover:underline"
          >
            Clear all
          </ListLink>
        </li>
      )}
    </ul>
  )
}
