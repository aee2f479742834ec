'use client'

import { useRouter } from 'next/navigation'
import { lazy, Suspense, useState } from 'react'
import { ActionArea, type ActionChoice } from '@/components/kits/action/action-area'
import { useClosed } from '@/components/kits/action/use-closed'
import { useOutcome } from '@/components/kits/action/use-outcome'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { later } from '@/components/kits/record/later'
import { ReadTrouble } from '@/components/kits/record/read-trouble'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/skeleton'
import { standingOf } from '@/lib/domain/account-words'
import { onboardingChecks, whyNotOnboard } from '@/lib/domain/onboarding-checks'
import type { WriteId } from '@/lib/operations/rows'
import { AccountHead } from './account-head'
import { AccountLimits } from './account-limits'
import { editAccountPath } from './account-paths'
import { AccountPeople } from './account-people'
import { AccountTabs } from './account-tabs'
import { AccountVerdict } from './account-verdict'
import { CapabilityGrid } from './capability-grid'
import { OnboardingList } from './onboarding-list'
import { useAccountFacts } from './use-account-facts'

// Drawn on the server, and alive a moment after what somebody looks at first.
const AccountBackground = later(() => import('./account-background').then((module) => module.AccountBackground))
const RecordTimeline = later(() => import('@/components/kits/record/record-timeline').then((module) => module.RecordTimeline))
const SimulatePanel = later(() => import('./simulate-panel').then((module) => module.SimulatePanel))
const OnboardForm = lazy(() => import('./onboard-form').then((module) => ({ default: module.OnboardForm })))

const stale = ['accounts', 'account_settings', 'representatives', 'linked_bank_accounts'] as const

/** An account: where it stands, what it lacks, what it may do, who it is. The same beside the list and on its own page. */
export function AccountDetail(props: RecordProps<'accounts.get'>) {
  const { answer, actions, onClose, correlationId } = props
  const account = answer.data
  const desk = useDesk()
  const router = useRouter()
  const facts = useAccountFacts(account)
  const checks = onboardingChecks({ account, readAt: answer.meta.read_at ?? '', ...facts })
  const state = useOutcome({ actions, stale, onChanged: props.onChanged })
  const [open, setOpen] = useState<WriteId | null>(null)
  const closed = useClosed({ live: state.live })
  const choices: ActionChoice[] = [
    {
      operation: 'accounts.onboard',
      opens: 'Hand to verification…',
      key: 'o',
      variant: 'primary',
      closed: closed('accounts.onboard', whyNotOnboard(account.status, checks)),
    },
    {
      operation: 'accounts.update',
      opens: 'Edit',
      key: 'e',
      closed: closed('accounts.update', null),
      press: () => router.push(editAccountPath(desk.environment, account.id)),
    },
  ]
  // An account that was handed over once never is again, so the button is no part of its page any more.
  const offered = account.status === 'created' ? choices : choices.slice(1)
  // The simulation stays where it was when the page opened: what somebody presses must not move away with what it changed.
  const [onItsWay] = useState(account.status === 'created' || account.status === 'onboarding')
  const simulate = desk.environment === 'sandbox' && (
    <Suspense fallback={<Skeleton className="h-44" />}>
      <SimulatePanel
        account={account}
        correlationId={correlationId}
        closed={(rule) => closed('accounts.simulate', rule)}
        onOutcome={state.setOutcome}
      />
    </Suspense>
  )
  return (
    <article className="flex min-h-full flex-col" aria-label="Account">
      <div
        className={cn(
          'grid flex-1 content-start gap-3 px-4 py-3 lg:px-6',
          !onClose && 'xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:gap-x-6',
        )}
      >
        <div className="grid gap-3 xl:col-span-full">
          <AccountHead {...props} organization={facts.organization} />
          <AccountTabs id={account.id} current="account" />
          <ReadTrouble one="account" readError={props.readError} actionsError={props.actionsError} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <AccountVerdict account={account} />
          {account.status === 'created' && <OnboardingList id={account.id} checks={checks} />}
          {onItsWay && simulate}
          <CapabilityGrid account={account} />
          <AccountLimits id={account.id} facts={facts} />
          <AccountPeople id={account.id} facts={facts} />
          {!onItsWay && simulate}
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <Suspense fallback={null}>
            <AccountBackground account={account} facts={facts} />
            {actions.length > 0 ? (
              <RecordTimeline history={[]} actions={actions} />
            ) : (
              <Panel title="Timeline">
                <p className="text-ink-2">Nothing was done with it from Paydesk yet. The service keeps no history of an account.</p>
              </Panel>
            )}
          </Suspense>
        </div>
      </div>
      <ActionArea
        id={account.id}
        label="Actions"
        choices={offered}
        state={state}
        open={open}
        onOpen={setOpen}
        now={standingOf(account).label}
        form={(form) => (
          <OnboardForm {...form} account={account} checks={checks} snapshot={answer.meta.snapshot} correlationId={correlationId} />
        )}
      />
    </article>
  )
}
