'use client'

import { usePathname } from 'next/navigation'
import { type ReactNode, useId, useRef } from 'react'
import { Link } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import { usePreferences } from '@/components/kits/layout/preferences-context'
import type { PageIcons } from '@/components/shell/page-icons'
import { cn } from '@/components/ui/cn'
import { useQueueCounts } from '@/lib/client/query/queue-counts'
import type { QueueCounts } from '@/lib/pages'
import { listPages, type PageGroup, pageGroups } from '@/lib/pages'
import { deskPath, homePath } from '@/lib/routes'

export const HomeLink = ({ className, children }: { className: string; children: ReactNode }) => (
  <Link href={homePath(usePageContext())} className={className}>
    {children}
  </Link>
)

type NavListProps = { icons: PageIcons; onLeave?: () => void }

type NavPage = ReturnType<typeof listPages>[number]
type QueueCount = QueueCounts[keyof QueueCounts]

const noCounts: QueueCounts = {}

/** The links keep the account scope. In the narrow sidebar a line replaces a group's heading. */
function NavList(props: NavListProps) {
  const context = usePageContext()
  const allowedPages = listPages(context)
  const waitingCounts = useQueueCounts(context)?.waiting ?? noCounts
  return (
    <div className="relative grid gap-1 @[9rem]:gap-1.5">
      {pageGroups.map((group) => {
        const pagesInGroup = allowedPages.filter((page) => page.group === group)
        return (
          pagesInGroup.length > 0 && (
            <NavGroup
              key={group}
              group={group}
              entries={pagesInGroup}
              counts={waitingCounts}
              {...props}
            />
          )
        )
      })}
    </div>
  )
}

type NavGroupProps = NavListProps & {
  group: PageGroup
  entries: readonly NavPage[]
  counts: QueueCounts
}

function NavGroup({ group, entries, counts, icons, onLeave }: NavGroupProps) {
  const id = useId()
  return (
    <div className="grid border-line @max-[9rem]:not-first:border-t @max-[9rem]:not-first:pt-2">
      <p id={id} className="px-2.5 font-medium text-2xs text-ink-3 @max-[9rem]:sr-only">
        {group}
      </p>
      <ul aria-labelledby={id} className="grid">
        {entries.map((page) => (
          <NavEntry
            key={page.id}
            page={page}
            icon={icons[page.id]}
            count={page.waiting && counts[page.waiting]}
            onLeave={onLeave}
          />
        ))}
      </ul>
    </div>
  )
}

const entryClasses =
  'flex h-6 items-center gap-2.5 overflow-hidden rounded-sm px-2.5 text-sm -outline-offset-2 transition-tint pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:shrink-0'

function NavEntry({
  page,
  icon,
  count,
  onLeave,
}: {
  page: NavPage
  icon: ReactNode
  count: QueueCount
  onLeave?: () => void
}) {
  const context = usePageContext()
  const id = useId()
  const pagePath = deskPath(context.environment, page.path)
  const pathname = usePathname()
  const isCurrent = pathname === pagePath || pathname.startsWith(`${pagePath}/`)
  const countLabel = formatCount(count)
  return (
    <li className="relative">
      <Link
        href={deskPath(context, page.path)}
        onClick={onLeave}
        title={page.name}
        aria-describedby={countLabel ? id : undefined}
        aria-current={pathname === pagePath ? 'page' : isCurrent ? 'true' : undefined}
        className={cn(
          entryClasses,
          isCurrent
            ? 'bg-selected font-semibold text-ink'
            : 'text-ink-2 hover:bg-ink/5 hover:text-ink',
        )}
      >
        {icon}
        <span className="truncate @max-[9rem]:sr-only">{page.name}</span>
      </Link>
      {countLabel && <CountBadge id={id} waiting={countLabel} />}
    </li>
  )
}

const formatCount = (count: QueueCount): string | null =>
  count ? count.toLocaleString('en-US') : null

/** Ignores clicks, because it lies on top of the link to the page. */
const CountBadge = ({ id, waiting }: { id: string; waiting: string }) => (
  <>
    <span
      aria-hidden="true"
      className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 rounded-full bg-ink/6 px-1.5 text-2xs text-ink-2 tabular-nums @max-[9rem]:top-1 @max-[9rem]:right-0 @max-[9rem]:bg-bg @max-[9rem]:px-0.5"
    >
      {waiting}
    </span>
    <span id={id} className="sr-only">
      {waiting} for you
    </span>
  </>
)

/** Until the person chooses a width, the style sheet makes the sidebar wide from 1280 px. */
export function SideBar({ icons, toggleIcon }: { icons: PageIcons; toggleIcon: ReactNode }) {
  const { change } = usePreferences()
  const sideBarRef = useRef<HTMLDivElement>(null)
  const toggleWidth = () =>
    change({ nav: (sideBarRef.current?.offsetWidth ?? 0) > 100 ? 'narrow' : 'wide' })
  return (
    <div
      ref={sideBarRef}
      className="@container sticky top-[3.25rem] hidden h-[calc(100dvh-3.25rem)] w-nav shrink-0 flex-col border-line border-r bg-bg p-2 transition-[width] duration-panel lg:flex print:hidden"
    >
      <nav
        aria-label="Desk"
        className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1 pt-1 [scrollbar-width:thin]"
      >
        <NavList icons={icons} />
      </nav>
      <button
        type="button"
        onClick={toggleWidth}
        title="Collapse or expand the sidebar"
        className="flex h-8 items-center gap-2.5 overflow-hidden rounded-sm px-2.5 text-ink-3 text-xs hover:bg-ink/5 hover:text-ink [&_svg]:size-4 [&_svg]:shrink-0"
      >
        {toggleIcon}
        <span className="sr-only">Collapse or expand the sidebar</span>
        <span aria-hidden="true" className="hidden @[9rem]:inline">
          Collapse sidebar
        </span>
      </button>
    </div>
  )
}

/** An HTML popover, which the browser opens and closes itself, so it works before hydration. */
export function NavDrawer({ icons, menuIcon }: { icons: PageIcons; menuIcon: ReactNode }) {
  const drawerRef = useRef<HTMLDivElement>(null)
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
        ref={drawerRef}
        id="nav-drawer"
        popover="auto"
        className="@container popover-enter fixed inset-y-0 right-auto left-0 m-0 h-dvh w-60 max-w-[85vw] overflow-y-auto overscroll-contain border-line border-r bg-surface p-2 pt-3 text-ink shadow-float lg:hidden"
      >
        <nav aria-label="Desk">
          <NavList icons={icons} onLeave={() => drawerRef.current?.hidePopover()} />
        </nav>
      </div>
    </>
  )
}
