'use client'

import { ChevronsUpDown } from 'lucide'
import { lazy } from 'react'
import { useConnectionStatus } from '@/components/kits/layout/connection-status'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { cn } from '@/components/ui/cn'
import { LineIcon } from '@/components/ui/line-icon'
import { Popover } from '@/components/ui/overlay'
import { getAccountName } from '@/lib/client/page-context'
import { useQueueCounts } from '@/lib/client/query/queue-counts'

const AccountPanel = lazy(() =>
  import('./account-panel').then((module) => ({ default: module.AccountPanel })),
)

export function AccountSwitcher({ platformAllowed }: { platformAllowed: boolean }) {
  const context = usePageContext()
  const scopeName = context.account
    ? getAccountName(context, context.account)
    : context.needsAccount
      ? 'Choose an account'
      : 'Whole platform'
  return (
    <Popover
      label="Account scope"
      panelClassName="w-80"
      content={(close) => <AccountPanel platformAllowed={platformAllowed} onDone={close} />}
      className={cn(
        'inline-flex h-8 min-w-0 max-w-64 items-center gap-1.5 rounded-sm border bg-surface px-2.5 text-sm hover:bg-sunken pointer-coarse:h-11',
        context.needsAccount ? 'border-held border-dashed text-held' : 'border-line text-ink',
      )}
    >
      <span className="hidden text-ink-3 text-xs lg:inline">Account</span>
      <span className="sr-only lg:hidden">Account: </span>
      <ExternalText className="min-w-0 truncate font-medium">{scopeName}</ExternalText>
      <LineIcon shapes={ChevronsUpDown} className="size-3.5 shrink-0 text-ink-3" />
    </Popover>
  )
}

const PersonPanel = lazy(() =>
  import('./person-panel').then((module) => ({ default: module.PersonPanel })),
)

const getInitials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((part) => part.charAt(0).toUpperCase())
    .join('')

export function PersonMenu() {
  const context = usePageContext()
  const { otherPerson } = useConnectionStatus()
  const shownPersonName = otherPerson ?? context.person.name
  const notificationCount = useQueueCounts(context)?.notifications ?? 0
  return (
    <Popover
      label="You and your settings"
      align="end"
      panelClassName="w-72"
      content={() => <PersonPanel />}
      className="relative inline-flex h-8 shrink-0 items-center gap-2 rounded-full pr-1 hover:bg-ink/6 sm:pr-2.5 pointer-coarse:h-11"
    >
      <span
        aria-hidden="true"
        className="inline-flex size-7 items-center justify-center rounded-full bg-ink-2 font-semibold text-2xs text-surface"
      >
        {getInitials(shownPersonName)}
      </span>
      <span className="sr-only text-ink-2 text-sm xl:not-sr-only">{shownPersonName}</span>
      {notificationCount > 0 && (
        <span className="absolute -top-1 left-4 rounded-full bg-accent px-1 text-2xs text-accent-on">
          {notificationCount}
          <span className="sr-only"> new</span>
        </span>
      )}
    </Popover>
  )
}
