'use client'

import { useRouter } from 'next/navigation'
import { lazy, useState } from 'react'
import { ActionArea, type ActionChoice } from '@/components/kits/action/action-area'
import { useClosed } from '@/components/kits/action/use-closed'
import { useOutcome } from '@/components/kits/action/use-outcome'
import { useDesk } from '@/components/kits/layout/desk-context'
import { ReadTrouble } from '@/components/kits/record/read-trouble'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { RecordTimeline } from '@/components/kits/record/record-timeline'
import { StandingNotice } from '@/components/kits/record/standing-notice'
import { cn } from '@/components/ui/cn'
import { whyNotLinked } from '@/lib/domain/linked-bank-rules'
import { statusWords } from '@/lib/domain/status'
import type { WriteId } from '@/lib/operations/rows'
import { LinkedHead } from './linked-head'
import { linkedNouns } from './linked-nouns'
import { LinkedNumbers } from './linked-numbers'
import { editLinkedPath } from './linked-paths'
import { LinkedRecord } from './linked-record'
import { PurposeGrid } from './purpose-grid'

const CancelForm = lazy(() => import('./cancel-form').then((module) => ({ default: module.CancelForm })))

const nextStep: Readonly<Record<string, string>> = {
  created: 'It is verified together with the account, once that is handed over. Until then it can be corrected or canceled.',
  onboarding: 'The service is verifying it. It can be corrected only if the service asks for it.',
  active: 'Verified: money is settled with it.',
  rejected: 'The service does not take it. Link another bank account in its place.',
  inactive: 'Switched off: money is settled with it no longer.',
  canceled: 'Taken back before it was verified. Link it again if that was a mistake.',
}

/** One linked bank account: where the verification stands, whose it is, what it serves beside the others, and what may still be done. */
export function LinkedDetail(props: RecordProps<'linked_bank_accounts.get'>) {
  const { answer, actions, onClose, correlationId } = props
  const linked = answer.data
  const desk = useDesk()
  const router = useRouter()
  const account = linked.account_id ? `acct_${linked.account_id}` : null
  const state = useOutcome({ actions, stale: ['linked_bank_accounts', 'accounts', 'account_settings'], onChanged: props.onChanged })
  const [open, setOpen] = useState<WriteId | null>(null)
  const closedOf = useClosed({ live: state.live })
  const stuck = linked.status === 'onboarding' && linked.status_detail?.reason === 'stuck'
  const next = stuck ? 'The service waits for a correction: what it needs stands below, in its own words.' : nextStep[linked.status]
  const edit = () => router.push(editLinkedPath(desk.environment, linked.id, desk.account))
  const choices: ActionChoice[] = [
    {
      operation: 'linked_bank_accounts.update',
      opens: 'Correct',
      key: 'e',
      variant: stuck ? 'primary' : 'secondary',
      closed: closedOf('linked_bank_accounts.update', whyNotLinked('update', linked)),
      press: edit,
    },
    {
      operation: 'linked_bank_accounts.cancel',
      opens: 'Cancel it…',
      key: 'x',
      variant: 'quiet',
      closed: closedOf('linked_bank_accounts.cancel', whyNotLinked('cancel', linked)),
    },
  ]
  return (
    <article className="flex min-h-full flex-col" aria-label="Linked bank account">
      <div
        className={cn(
          'grid flex-1 content-start gap-3 px-4 py-3 lg:px-6',
          !onClose && 'xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:gap-x-6',
        )}
      >
        <div className="grid gap-3 xl:col-span-full">
          <LinkedHead {...props} account={account} />
          <ReadTrouble one={linkedNouns.one} readError={props.readError} actionsError={props.actionsError} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <StandingNotice kind="linked_bank_account" status={linked.status} detail={linked.status_detail}>
            {next && <p>{next}</p>}
          </StandingNotice>
          <LinkedNumbers linked={linked} account={account} />
          <PurposeGrid linked={linked} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          {actions.length > 0 && <RecordTimeline history={[]} actions={actions} />}
          <LinkedRecord linked={linked} />
        </div>
      </div>
      <ActionArea
        id={linked.id}
        label="Change"
        choices={choices}
        state={state}
        open={open}
        onOpen={setOpen}
        now={statusWords('linked_bank_account', linked.status).label}
        form={(form) => (
          <CancelForm {...form} linked={linked} account={account} snapshot={answer.meta.snapshot} correlationId={correlationId} />
        )}
      />
    </article>
  )
}
