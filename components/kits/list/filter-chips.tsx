'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { FilterChip } from './filter-chip'
import { filterTexts } from './filter-words'
import { ListLink } from './list-frame'
import type { ListSpec, ListView } from './list-spec'
import { withoutFilters } from './list-view'

/** What the list is narrowed to; each chip takes its own filter away. */
export function FilterChips({ spec, view }: { spec: ListSpec; view: ListView }) {
  const desk = useDesk()
  const chips = filterTexts(spec, view)
  if (chips.length === 0) return null
  return (
    <ul className="flex flex-wrap items-center gap-1" aria-label="Active filters">
      {chips.map(({ name, text }) => (
        <li key={name}>
          <FilterChip href={withoutFilters(spec, desk, view, [name])} text={text} />
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <ListLink
            href={withoutFilters(
              spec,
              desk,
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
