import { Menu, PanelLeft, Search } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { cn } from '@/components/ui/cn'
import { Mark } from '@/components/ui/mark'
import type { Desk } from '@/lib/client/desk'
import { homePath } from '@/lib/routes'
import { AccountSwitcher } from './account-switcher'
import { DeskKeys } from './desk-keys'
import { EnvironmentStripe, EnvironmentWord } from './environment-mark'
import { NavDrawer } from './nav-drawer'
import { pageIcons } from './page-icons'
import { PersonMenu } from './person-menu'
import { PrintHead } from './print-head'
import { SideBar } from './side-bar'
import { Strips } from './strips'

/** The frame of every desk page. `desk` is that of the whole environment; the account comes from the URL, see `DeskProvider`. */
export function Shell({ desk, children }: { desk: Desk; children: ReactNode }) {
  return (
    <DeskProvider desk={desk}>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-sm bg-accent print:hidden px-3 py-1.5 font-medium text-accent-on text-sm focus:translate-y-0"
      >
        Skip to the page
      </a>
      <header className="sticky top-0 z-30 print:hidden">
        <EnvironmentStripe environment={desk.environment} />
        <div
          className={cn(
            'relative flex h-bar items-center gap-2 border-line border-b px-2 sm:gap-3 sm:px-4',
            desk.environment === 'sandbox' ? 'bg-[color-mix(in_oklab,var(--sandbox-fill)_45%,var(--surface))]' : 'bg-surface',
          )}
        >
          <NavDrawer icons={pageIcons} menuIcon={<Menu aria-hidden="true" />} />
          <Link
            href={homePath(desk.environment)}
            prefetch={false}
            className="flex h-8 shrink-0 items-center gap-2 rounded-sm font-semibold text-base text-ink max-sm:hidden"
          >
            <Mark className="size-6" />
            Paydesk
          </Link>
          <EnvironmentWord environment={desk.environment} />
          <AccountSwitcher platformAllowed={!desk.needsAccount} />
          <DeskKeys icon={<Search aria-hidden="true" />} icons={pageIcons} platformAllowed={!desk.needsAccount} />
          <PersonMenu />
        </div>
      </header>
      <div className="flex min-h-[calc(100dvh-3.25rem)]">
        <SideBar icons={pageIcons} toggleIcon={<PanelLeft aria-hidden="true" />} />
        <div className="min-w-0 flex-1">
          <Strips />
          <main id="main" tabIndex={-1} className="mx-auto max-w-content px-4 pb-12 lg:px-6">
            <PrintHead />
            {children}
          </main>
        </div>
      </div>
    </DeskProvider>
  )
}
