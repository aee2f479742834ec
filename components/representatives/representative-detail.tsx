'use client'

import { useRouter } from 'next/navigation'
import { ActionArea } from '@/components/kits/action/action-area'
import { useClosed } from '@/components/kits/action/use-closed'
import { useOutcome } from '@/components/kits/action/use-outcome'
import { useDesk } from '@/components/kits/layout/desk-context'
import { ReadTrouble } from '@/components/kits/record/read-trouble'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { RecordTimeline } from '@/components/kits/record/record-timeline'
import { StandingNotice } from '@/components/kits/record/standing-notice'
import { cn } from '@/components/ui/cn'
import { statusWords } from '@/lib/domain/status'
import { AccountPeople } from './account-people'
import { RelationshipPanel } from './relationship-panel'
import { RepresentativeHead } from './representative-head'
import { representativeNouns } from './representative-nouns'
import { editRepresentativePath } from './representative-paths'
import { RepresentativePerson } from './representative-person'
import { RepresentativeRecord } from './representative-record'

const nextStep: Readonly<Record<string, string>> = {
  created: 'Nothing to do here: they are verified together with the account, once it is handed over.',
  onboarding: 'The service is verifying the person. What it still needs stands below, in its own words.',
  active: 'Nothing to do.',
  rejected: 'The service does not take this person. The account needs another with control to be onboarded.',
  inactive: 'Speaks for the account no longer.',
}

/** One representative: where the verification stands, what they are to the account, who they are, and who else there is. */
export function RepresentativeDetail(props: RecordProps<'representatives.get'>) {
  const { answer, actions, onClose } = props
  const person = answer.data
  const desk = useDesk()
  const router = useRouter()
  const account = person.account_id ? `acct_${person.account_id}` : null
  const state = useOutcome({ actions, stale: ['representatives'], onChanged: props.onChanged })
  const closed = useClosed({ live: state.live })('representatives.update', null)
  const edit = () => router.push(editRepresentativePath(desk.environment, person.id, account))
  return (
    <article className="flex min-h-full flex-col" aria-label="Representative">
      <div
        className={cn(
          'grid flex-1 content-start gap-3 px-4 py-3 lg:px-6',
          !onClose && 'xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:gap-x-6',
        )}
      >
        <div className="grid gap-3 xl:col-span-full">
          <RepresentativeHead {...props} account={account} />
          <ReadTrouble one={representativeNouns.one} readError={props.readError} actionsError={props.actionsError} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <StandingNotice kind="representative" status={person.status} detail={person.status_detail}>
            {nextStep[person.status] && <p>{nextStep[person.status]}</p>}
          </StandingNotice>
          <RelationshipPanel person={person} />
          <RepresentativePerson person={person} account={account} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <AccountPeople person={person} />
          {actions.length > 0 && <RecordTimeline history={[]} actions={actions} />}
          <RepresentativeRecord person={person} />
        </div>
      </div>
      <ActionArea
        id={person.id}
        label="Change"
        choices={[{ operation: 'representatives.update', opens: 'Edit', key: 'e', closed, press: edit }]}
        state={state}
        open={null}
        onOpen={() => undefined}
        now={statusWords('representative', person.status).label}
        form={() => null}
      />
    </article>
  )
}
