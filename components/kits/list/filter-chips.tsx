'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
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
          <ListLink
            href={withoutFilters(spec, desk, view, [name])}
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
