'use client'

import { type ReactNode, useRef } from 'react'
import { NavList } from './nav-list'
import type { PageIcons } from './page-icons'

/** Below 1024 px the side bar is a drawer. The browser opens and closes it, before any script of ours has run. */
export function NavDrawer({ icons, menuIcon }: { icons: PageIcons; menuIcon: ReactNode }) {
  const drawer = useRef<HTMLDivElement>(null)
  return (
    <>
      <button
        type="button"
        popoverTarget="nav-drawer"
        aria-label="Pages"
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-sm text-ink-2 hover:bg-ink/6 pointer-coarse:size-11 lg:hidden [&_svg]:size-5"
      >
        {menuIcon}
      </button>
      <div
        ref={drawer}
        id="nav-drawer"
        popover="auto"
        className="@container popover-enter fixed inset-y-0 right-auto left-0 m-0 h-dvh w-60 max-w-[85vw] overflow-y-auto overscroll-contain border-line border-r bg-surface p-2 pt-3 text-ink shadow-float lg:hidden"
      >
        <nav aria-label="Desk">
          <NavList icons={icons} onLeave={() => drawer.current?.hidePopover()} />
        </nav>
      </div>
    </>
  )
}
