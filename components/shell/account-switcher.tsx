'use client'

import { lazy } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { cn } from '@/components/ui/cn'
import { Popover } from '@/components/ui/popover'
import { accountName } from '@/lib/client/desk'

const AccountPanel = lazy(() => import('./account-panel').then((module) => ({ default: module.AccountPanel })))

/** The scope everything on the screen is read in, always in sight, and the way to another one. */
export function AccountSwitcher({ platformAllowed }: { platformAllowed: boolean }) {
  const desk = useDesk()
  const name = desk.account ? accountName(desk, desk.account) : desk.needsAccount ? 'Choose an account' : 'Whole platform'
  return (
    <Popover
      label="Account scope"
      panelClassName="w-80"
      content={(close) => <AccountPanel platformAllowed={platformAllowed} onDone={close} />}
      className={cn(
        'inline-flex h-8 min-w-0 max-w-64 items-center gap-1.5 rounded-sm border bg-surface px-2.5 text-sm hover:bg-sunken pointer-coarse:h-11',
        desk.needsAccount ? 'border-held border-dashed text-held' : 'border-line text-ink',
      )}
    >
      <span className="hidden text-ink-3 text-xs md:inline">Account</span>
      <span className="sr-only md:hidden">Account: </span>
      <span className="truncate font-medium">{name}</span>
      <svg
        aria-hidden="true"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        className="size-3.5 shrink-0 text-ink-3"
      >
        <path d="m5 6.25 3-3 3 3M5 9.75l3 3 3-3" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
    </Popover>
  )
}
