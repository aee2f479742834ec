'use client'

import { lazy } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Popover } from '@/components/ui/popover'

const PersonPanel = lazy(() => import('./person-panel').then((module) => ({ default: module.PersonPanel })))

const initials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((part) => part.charAt(0).toUpperCase())
    .join('')

/** Who is at the desk, how it looks, and the way out. */
export function PersonMenu() {
  const { person } = useDesk()
  return (
    <Popover
      label="You and your settings"
      align="end"
      panelClassName="w-72"
      content={() => <PersonPanel />}
      className="inline-flex h-8 shrink-0 items-center gap-2 rounded-full pr-1 hover:bg-ink/6 sm:pr-2.5 pointer-coarse:h-11"
    >
      <span
        aria-hidden="true"
        className="inline-flex size-7 items-center justify-center rounded-full bg-ink-2 font-semibold text-2xs text-surface"
      >
        {initials(person.name)}
      </span>
      <span className="sr-only text-ink-2 text-sm xl:not-sr-only">{person.name}</span>
    </Popover>
  )
}
