'use client'

import { useRouter } from 'next/navigation'
import { lazy, useState } from 'react'
import { addAccountPrefix, editAccountPath } from '@/components/accounts/paths'
import { ActionArea } from '@/components/kits/action/action-area'
import type { ActionChoice } from '@/components/kits/action/action-choices'
import { useOutcome, useRecordChangeSources } from '@/components/kits/action/outcome'
import { useDisabledReasonGetter } from '@/components/kits/action/use-disabled-reason'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { OtherAccountNote, RecordHead } from '@/components/kits/record/record-head'
import { RecordColumn, RecordLayout } from '@/components/kits/record/record-layout'
import {
  type PanelProps,
  type RecordContentProps,
  RecordPanel,
} from '@/components/kits/record/record-panel'
import { RecordTimeline } from '@/components/kits/record/record-timeline'
import { describeAccountStatus } from '@/lib/domain/account-labels'
import type { ReadResult } from '@/lib/domain/check'
import { getNameOrDefault } from '@/lib/domain/service-words'
import { accountNouns } from '@/lib/features/accounts/labels'
import {
  createOnboardingChecks,
  type OnboardingCheck,
  whyNotOnboard,
} from '@/lib/features/accounts/onboarding-checks'
import type { Account } from '@/lib/operations/accounts.schema'
import type { ActionView } from '@/lib/operations/answer'
import type { Organization } from '@/lib/operations/organizations.schema'
import type { WriteId } from '@/lib/operations/service-operations'
import { recordPath } from '@/lib/routes'
import { AccountBackgroundPanels } from './background'
import { AccountLimits, CapabilityGrid } from './limits'
import { AccountPeopleAndBanks } from './people'
import { SimulatePanel } from './simulate-panel'
import { AccountTabs } from './tabs'
import { useAccountRelatedReads } from './use-facts'
import { AccountVerdict, OnboardingChecklist } from './verdict'

type AccountHeadProps = Pick<
  RecordContentProps<'accounts.get'>,
  'answer' | 'reading' | 'onRead' | 'onClose'
> & {
  organization: ReadResult<Organization>
}

function AccountHead({ answer, organization, reading, onRead, onClose }: AccountHeadProps) {
  const account = answer.data
  const context = usePageContext()
  const { environment } = context
  const profile = account.business_profile
  const distinctLegalName = profile?.legal_name !== profile?.name ? profile?.legal_name : undefined
  return (
    <RecordHead
      nouns={accountNouns}
      record={account}
      account={addAccountPrefix(account.id)}
      title={<ExternalText>{getNameOrDefault(profile?.name, 'Unnamed account')}</ExternalText>}
      status={describeAccountStatus(account)}
      readAt={answer.meta.read_at ?? ''}
      reading={reading}
      onRead={onRead}
      onClose={onClose}
    >
      {distinctLegalName && (
        <>
          <ExternalText>{distinctLegalName}</ExternalText>,{' '}
        </>
      )}
      {account.type} in{' '}
      {account.organization_id ? (
        <Link
          href={recordPath(context, 'organizations', account.organization_id)}
          className="font-medium text-accent hover:underline"
        >
          <ExternalText>
            {organization.data ? organization.data.name : 'its organization'}
          </ExternalText>
        </Link>
      ) : (
        'no organization'
      )}{' '}
      in <span className="font-semibold text-ink">{environment.toUpperCase()}</span>
      <OtherAccountNote account={addAccountPrefix(account.id)} />
    </RecordHead>
  )
}

// Loaded lazily, because the form is rendered only after the user opens it.
const OnboardForm = lazy(() =>
  import('@/components/accounts/forms/onboard-form').then((module) => ({
    default: module.OnboardForm,
  })),
)

type ActionChoicesOptions = {
  account: Account
  checks: readonly OnboardingCheck[]
  getDisabledReason: ReturnType<typeof useDisabledReasonGetter>
  openEditPage: () => void
}

function listActionChoices({
  account,
  checks,
  getDisabledReason,
  openEditPage,
}: ActionChoicesOptions): ActionChoice[] {
  const choices: ActionChoice[] = [
    {
      operation: 'accounts.onboard',
      opens: 'Submit for verification…',
      key: 'o',
      disabledReason: getDisabledReason('accounts.onboard', whyNotOnboard(account.status, checks)),
    },
    {
      operation: 'accounts.update',
      opens: 'Edit',
      key: 'e',
      disabledReason: getDisabledReason('accounts.update', null),
      press: openEditPage,
    },
  ]
  // An account can be submitted for verification only once, so its button is offered in the status
  // `created` only.
  return account.status === 'created' ? choices : choices.slice(1)
}

const AccountTimeline = ({ actions }: { actions: readonly ActionView[] }) =>
  actions.length > 0 ? (
    <RecordTimeline history={[]} actions={actions} />
  ) : (
    <Panel title="Timeline">
      <p className="text-ink-2">
        No activity in Paydesk yet. The service keeps no history of an account.
      </p>
    </Panel>
  )

function AccountDetail(props: RecordContentProps<'accounts.get'>) {
  const { answer, actions, correlationId } = props
  const account = answer.data
  const context = usePageContext()
  const router = useRouter()
  const relatedReads = useAccountRelatedReads(account)
  const checks = createOnboardingChecks({
    account,
    readAt: answer.meta.read_at ?? '',
    ...relatedReads,
  })
  const outcomeState = useOutcome({
    actions,
    operation: 'accounts.onboard',
    onChanged: props.onChanged,
  })
  const recordChangeSources = useRecordChangeSources(answer.meta.read_at, actions)
  const [open, setOpen] = useState<WriteId | null>(null)
  const getDisabledReason = useDisabledReasonGetter({ live: outcomeState.live })
  const actionChoices = listActionChoices({
    account,
    checks,
    getDisabledReason,
    openEditPage: () => router.push(editAccountPath(context, account.id)),
  })
  // Decides the position of the simulate panel, and stays as at the first render. A click in that
  // panel changes the account's status, and its buttons must not move then.
  const [wasOnboardingAtFirst] = useState(
    account.status === 'created' || account.status === 'onboarding',
  )
  const simulatePanel = context.environment === 'sandbox' && (
    <SimulatePanel
      account={account}
      correlationId={correlationId}
      disabledReasonOf={(rule) => getDisabledReason('accounts.simulate', rule)}
      onOutcome={outcomeState.setOutcome}
    />
  )
  return (
    <RecordLayout
      label="Account"
      one="account"
      record={props}
      head={
        <>
          <AccountHead {...props} organization={relatedReads.organization} />
          <AccountTabs id={account.id} current="account" />
        </>
      }
      foot={
        <ActionArea
          id={account.id}
          label="Actions"
          choices={actionChoices}
          state={outcomeState}
          open={open}
          onOpen={setOpen}
          now={describeAccountStatus(account).label}
          happened={recordChangeSources}
          form={(form) => (
            <OnboardForm
              {...form}
              account={account}
              checks={checks}
              snapshot={answer.meta.snapshot}
              correlationId={correlationId}
            />
          )}
        />
      }
    >
      <RecordColumn>
        <AccountVerdict account={account} />
        {account.status === 'created' && <OnboardingChecklist id={account.id} checks={checks} />}
        {wasOnboardingAtFirst && simulatePanel}
        <CapabilityGrid account={account} />
        <AccountLimits id={account.id} facts={relatedReads} />
        <AccountPeopleAndBanks id={account.id} facts={relatedReads} />
        {!wasOnboardingAtFirst && simulatePanel}
      </RecordColumn>
      <RecordColumn>
        <AccountBackgroundPanels account={account} facts={relatedReads} />
        <AccountTimeline actions={actions} />
      </RecordColumn>
    </RecordLayout>
  )
}

export const AccountPanel = (props: PanelProps) => (
  <RecordPanel {...props} get="accounts.get" nouns={accountNouns}>
    {(record) => <AccountDetail key={record.id} {...record} />}
  </RecordPanel>
)
