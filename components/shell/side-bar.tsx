'use client'

import { type ReactNode, useRef } from 'react'
import { usePreferences } from '@/components/kits/layout/preferences-context'
import { NavList } from './nav-list'
import type { PageIcons } from './page-icons'

/** From 1024 px on: wide or a rail of icons, by the window's width until somebody chooses. The width itself is the style sheet's affair. */
export function SideBar({ icons, toggleIcon }: { icons: PageIcons; toggleIcon: ReactNode }) {
  const { change } = usePreferences()
  const bar = useRef<HTMLDivElement>(null)
  const toggle = () => change({ nav: (bar.current?.offsetWidth ?? 0) > 100 ? 'narrow' : 'wide' })
  return (
    <div
      ref={bar}
      className="@container sticky top-[3.25rem] hidden h-[calc(100dvh-3.25rem)] w-nav shrink-0 flex-col border-line border-r bg-bg p-2 transition-[width] duration-panel lg:flex print:hidden"
    >
      <nav aria-label="Desk" className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1 pt-1 [scrollbar-width:thin]">
        <NavList icons={icons} />
      </nav>
      <button
        type="button"
        onClick={toggle}
        title="Make the side bar wider or narrower"
        className="flex h-8 items-center gap-2.5 overflow-hidden rounded-sm px-2.5 text-ink-3 text-xs hover:bg-ink/5 hover:text-ink [&_svg]:size-4 [&_svg]:shrink-0"
      >
        {toggleIcon}
        <span className="sr-only">Make the side bar wider or narrower</span>
        <span aria-hidden="true" className="hidden @[9rem]:inline">
          Narrower
        </span>
      </button>
    </div>
  )
}
