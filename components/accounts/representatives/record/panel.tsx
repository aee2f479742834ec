'use client'

import { useRouter } from 'next/navigation'
import { ActionArea } from '@/components/kits/action/action-area'
import { useOutcome } from '@/components/kits/action/outcome'
import { useDisabledReasonGetter } from '@/components/kits/action/use-disabled-reason'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Fact, FactList } from '@/components/kits/layout/panel'
import { RecordAccountText, RecordHead } from '@/components/kits/record/record-head'
import { MetadataFacts, RecordFacts, RecordTimes } from '@/components/kits/record/record-json'
import { RecordColumn, RecordLayout } from '@/components/kits/record/record-layout'
import {
  type PanelProps,
  type RecordContentProps,
  RecordPanel,
} from '@/components/kits/record/record-panel'
import { RecordTimeline } from '@/components/kits/record/record-timeline'
import { StatusNotice } from '@/components/kits/record/status-notice'
import { ShortId } from '@/components/ui/copy-button'
import { getNameOrDefault } from '@/lib/domain/service-words'
import { getStatusWords } from '@/lib/domain/status'
import { representativeNouns } from '@/lib/features/accounts/labels'
import type { Representative } from '@/lib/operations/representatives.schema'
import { editRecordPath } from '@/lib/routes'
import { AccountRepresentatives, RelationshipPanel } from './account-people'
import { RepresentativeIdentityPanel } from './person'

const RepresentativeRecordFacts = ({ person }: { person: Representative }) => (
  <RecordFacts nouns={representativeNouns} record={person}>
    <FactList>
      <Fact name="ID">
        <ShortId id={person.id} what="representative ID" />
      </Fact>
      {person.account_id && (
        <Fact name="Account">
          <ShortId id={`acct_${person.account_id}`} what="account ID" />
        </Fact>
      )}
      {person.user_id && (
        <Fact name="User">
          <ShortId id={person.user_id} what="user ID" />
        </Fact>
      )}
      <Fact name="External ID" field="external_id">
        {person.external_id ? <ShortId id={person.external_id} what="external ID" /> : 'none'}
      </Fact>
      <RecordTimes record={person} />
      <MetadataFacts metadata={person.metadata} />
    </FactList>
  </RecordFacts>
)

type RepresentativeHeadProps = Pick<
  RecordContentProps<'representatives.get'>,
  'answer' | 'reading' | 'onRead' | 'onClose'
> & {
  account: string | null
}

function RepresentativeHead({
  answer,
  account,
  reading,
  onRead,
  onClose,
}: RepresentativeHeadProps) {
  const { environment } = usePageContext()
  const person = answer.data
  const jobTitle = person.relationship?.title
  return (
    <RecordHead
      nouns={representativeNouns}
      record={person}
      account={account}
      title={<ExternalText>{getNameOrDefault(person.name, 'Unnamed representative')}</ExternalText>}
      status={getStatusWords('representative', person.status)}
      readAt={answer.meta.read_at ?? ''}
      reading={reading}
      onRead={onRead}
      onClose={onClose}
    >
      {jobTitle ? <ExternalText>{jobTitle}</ExternalText> : 'representative'}{' '}
      {account === null ? (
        <>
          of the platform in{' '}
          <span className="font-semibold text-ink">{environment.toUpperCase()}</span>
        </>
      ) : (
        <RecordAccountText owner={{ of: 'account', account, why: null }} />
      )}
    </RecordHead>
  )
}

const nextStepByStatus: Readonly<Record<string, string>> = {
  created:
    'No action needed: the representative is verified together with the account, once that account is submitted.',
  onboarding:
    'The service is verifying the representative. Any further requirements are listed below in the service’s own words.',
  active: 'No action needed.',
  rejected:
    'The service rejected this representative. The account needs another control person to be onboarded.',
  inactive: 'No longer a representative.',
}

function RepresentativeDetail(props: RecordContentProps<'representatives.get'>) {
  const { answer, actions } = props
  const person = answer.data
  const context = usePageContext()
  const router = useRouter()
  const account = person.account_id ? `acct_${person.account_id}` : null
  const outcomeState = useOutcome({
    actions,
    operation: 'representatives.update',
    onChanged: props.onChanged,
  })
  const disabledReason = useDisabledReasonGetter({ live: outcomeState.live })(
    'representatives.update',
    null,
  )
  const openEditPage = () =>
    router.push(editRecordPath(context, 'representatives', person.id, { account }))
  return (
    <RecordLayout
      label="Representative"
      one={representativeNouns.one}
      record={props}
      head={<RepresentativeHead {...props} account={account} />}
      foot={
        <ActionArea
          id={person.id}
          label="Change"
          choices={[
            {
              operation: 'representatives.update',
              opens: 'Edit',
              key: 'e',
              disabledReason,
              press: openEditPage,
            },
          ]}
          state={outcomeState}
          open={null}
          onOpen={() => undefined}
          now={getStatusWords('representative', person.status).label}
          form={() => null}
        />
      }
    >
      <RecordColumn>
        <StatusNotice kind="representative" status={person.status} detail={person.status_detail}>
          {nextStepByStatus[person.status] && <p>{nextStepByStatus[person.status]}</p>}
        </StatusNotice>
        <RelationshipPanel person={person} />
        <RepresentativeIdentityPanel person={person} account={account} />
      </RecordColumn>
      <RecordColumn>
        <AccountRepresentatives person={person} />
        {actions.length > 0 && <RecordTimeline history={[]} actions={actions} />}
        <RepresentativeRecordFacts person={person} />
      </RecordColumn>
    </RecordLayout>
  )
}

export const RepresentativePanel = (props: PanelProps) => (
  <RecordPanel {...props} get="representatives.get" nouns={representativeNouns}>
    {(record) => <RepresentativeDetail key={record.id} {...record} />}
  </RecordPanel>
)
