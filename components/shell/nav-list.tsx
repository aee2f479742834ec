'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { type ReactNode, useId } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { cn } from '@/components/ui/cn'
import { rolesText } from '@/lib/domain/permissions'
import { type DeskPage, mayOpen, type PageGroup, type PageId, pageGroups, pages } from '@/lib/pages'
import { deskPath } from '@/lib/routes'
import type { PageIcons } from './page-icons'

type NavListProps = { icons: PageIcons; onLeave?: () => void }

/** The pages of an environment in their groups; each link keeps the account scope. On the rail a line stands for the group's name. */
export const NavList = (props: NavListProps) => (
  <div className="relative grid gap-2 @[9rem]:gap-4">
    {pageGroups.map((group) => (
      <NavGroup key={group} group={group} {...props} />
    ))}
  </div>
)

function NavGroup({ group, icons, onLeave }: NavListProps & { group: PageGroup }) {
  const id = useId()
  const here = pages.filter((page) => page.group === group)
  return (
    <div className="grid gap-0.5 border-line @max-[9rem]:not-first:border-t @max-[9rem]:not-first:pt-2">
      <p id={id} className="px-2.5 pb-0.5 font-medium text-2xs text-ink-3 @max-[9rem]:sr-only">
        {group}
      </p>
      <ul aria-labelledby={id} className="grid gap-0.5">
        {here.map((page) => (
          <li key={page.id}>
            <NavEntry page={page} icon={icons[page.id]} onLeave={onLeave} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const entryClasses =
  'flex h-7.5 items-center gap-2.5 overflow-hidden rounded-sm px-2.5 text-sm -outline-offset-2 transition-tint pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:shrink-0'

function NavEntry({ page, icon, onLeave }: { page: DeskPage & { id: PageId }; icon: ReactNode; onLeave?: () => void }) {
  const { environment, account, person } = useDesk()
  const home = deskPath(environment, page.path)
  const pathname = usePathname()
  const current = pathname === home || pathname.startsWith(`${home}/`)
  const name = <span className="truncate @max-[9rem]:sr-only">{page.name}</span>
  // Roles that hold for single accounts are not known here; then the page itself says what is missing.
  if (page.allow && person.roles.length > 0 && !mayOpen(page, person.roles)) {
    const why = `Only ${rolesText(page.allow)} can open this page.`
    return (
      <button type="button" aria-disabled="true" title={why} className={cn(entryClasses, 'w-full cursor-not-allowed text-ink-3')}>
        {icon}
        {name}
        <span className="sr-only">. {why}</span>
      </button>
    )
  }
  return (
    <Link
      href={deskPath(environment, page.path, { account })}
      prefetch={false}
      onClick={onLeave}
      title={page.name}
      aria-current={pathname === home ? 'page' : current ? 'true' : undefined}
      className={cn(entryClasses, current ? 'bg-selected font-semibold text-ink' : 'text-ink-2 hover:bg-ink/5 hover:text-ink')}
    >
      {icon}
      {name}
    </Link>
  )
}
