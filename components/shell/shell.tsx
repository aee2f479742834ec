import { Menu, PanelLeft, Search } from 'lucide'
import type { ReactNode } from 'react'
import { StepUpDialogHost } from '@/components/kits/action/step-up'
import { Logo } from '@/components/kits/layout/bare-page'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { AccountSwitcher, PersonMenu } from '@/components/shell/navigation/menus'
import { HomeLink, NavDrawer, SideBar } from '@/components/shell/navigation/nav-list'
import { cn } from '@/components/ui/cn'
import { LineIcon } from '@/components/ui/line-icon'
import { ToneIcon } from '@/components/ui/tone'
import type { PageContext } from '@/lib/client/page-context'
import type { Environment } from '@/lib/operations/define'
import { GlobalShortcuts } from './desk-keys'
import { pageIcons } from './page-icons'
import { PageBoundary } from './page-skeleton'
import { PrintHeader, ShellStrips } from './strips'

/** A stripe at the top of the window. It is colored only in the sandbox. */
const EnvironmentStripe = ({ environment }: { environment: Environment }) => (
  <div
    aria-hidden="true"
    className={cn('h-1', environment === 'sandbox' ? 'bg-sandbox-stripe' : 'bg-control')}
  />
)

const EnvironmentLabel = ({ environment }: { environment: Environment }) => (
  <span
    className={cn(
      'inline-flex h-6 shrink-0 items-center gap-1 rounded-full border px-2 font-semibold text-2xs tracking-wide',
      environment === 'sandbox'
        ? 'border-sandbox/40 bg-sandbox-fill text-sandbox'
        : 'border-ink-2 bg-surface text-ink',
    )}
  >
    {environment === 'sandbox' && <ToneIcon tone="sandbox" className="max-[22.5rem]:hidden" />}
    <span className="sr-only">Environment: </span>
    {environment.toUpperCase()}
  </span>
)

/** `context` is for the whole environment; `PageContextProvider` adds the account from the URL. */
export function Shell({ context, children }: { context: PageContext; children: ReactNode }) {
  return (
    <PageContextProvider context={context}>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-sm bg-accent print:hidden px-3 py-1.5 font-medium text-accent-on text-sm focus:translate-y-0"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 print:hidden">
        <EnvironmentStripe environment={context.environment} />
        <div
          className={cn(
            'relative flex h-bar items-center gap-2 border-line border-b px-2 sm:gap-3 sm:px-4',
            context.environment === 'sandbox'
              ? 'bg-[color-mix(in_oklab,var(--sandbox-fill)_45%,var(--surface))]'
              : 'bg-surface',
          )}
        >
          <NavDrawer icons={pageIcons} menuIcon={<LineIcon shapes={Menu} />} />
          <HomeLink className="flex h-8 shrink-0 items-center gap-2 rounded-sm font-semibold text-base text-ink max-sm:hidden">
            <Logo className="size-6" />
            Paydesk
          </HomeLink>
          <EnvironmentLabel environment={context.environment} />
          {context.integration !== 'account' && (
            <AccountSwitcher platformAllowed={!context.isLimited} />
          )}
          <GlobalShortcuts
            icon={<LineIcon shapes={Search} />}
            icons={pageIcons}
            platformAllowed={!context.isLimited}
          />
          <PersonMenu />
        </div>
      </header>
      <div className="flex min-h-[calc(100dvh-3.25rem)]">
        <SideBar icons={pageIcons} toggleIcon={<LineIcon shapes={PanelLeft} />} />
        <div className="page-column min-w-0 flex-1">
          <ShellStrips />
          <main
            id="main"
            tabIndex={-1}
            className="w-full max-w-content px-4 pb-12 has-[[data-fits]]:max-w-none lg:px-6"
          >
            <PrintHeader />
            <PageBoundary>{children}</PageBoundary>
          </main>
        </div>
      </div>
      <StepUpDialogHost />
    </PageContextProvider>
  )
}
