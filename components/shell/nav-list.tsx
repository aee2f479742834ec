'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { cn } from '@/components/ui/cn'
import { payoutsPath } from '@/lib/routes'

export type NavIcons = { payouts: ReactNode }

/** The pages of an environment. Only pages that exist stand here; each link keeps the account scope. */
export function NavList({ icons, onLeave }: { icons: NavIcons; onLeave?: () => void }) {
  const { environment, account } = useDesk()
  const pathname = usePathname()
  const pages = [{ name: 'Payouts', icon: icons.payouts, home: payoutsPath(environment), path: payoutsPath(environment, { account }) }]
  return (
    <ul className="grid gap-0.5">
      {pages.map(({ name, icon, home, path }) => {
        const current = pathname === home || pathname.startsWith(`${home}/`)
        return (
          <li key={name}>
            <Link
              href={path}
              prefetch={false}
              onClick={onLeave}
              title={name}
              aria-current={pathname === home ? 'page' : current ? 'true' : undefined}
              className={cn(
                'flex h-8 items-center gap-2.5 overflow-hidden rounded-sm px-2.5 text-sm transition-tint pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:shrink-0',
                current ? 'bg-selected font-semibold text-ink' : 'text-ink-2 hover:bg-ink/5 hover:text-ink',
              )}
            >
              {icon}
              <span className="sr-only @[9rem]:not-sr-only">{name}</span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
