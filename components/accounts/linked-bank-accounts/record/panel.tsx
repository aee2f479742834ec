'use client'

import { useRouter } from 'next/navigation'
import { lazy, useState } from 'react'
import { ActionArea } from '@/components/kits/action/action-area'
import type { ActionChoice } from '@/components/kits/action/action-choices'
import { useOutcome, useRecordChangeSources } from '@/components/kits/action/outcome'
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
import { findOwnValue, getNameOrDefault } from '@/lib/domain/service-words'
import { getStatusWords } from '@/lib/domain/status'
import { linkedBankAccountNouns } from '@/lib/features/accounts/labels'
import { whyNotChangeLinkedAccount } from '@/lib/features/accounts/linked-bank-accounts/rules'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'
import type { WriteId } from '@/lib/operations/service-operations'
import { editRecordPath } from '@/lib/routes'
import { LinkedAccountNumbers, PurposeGrid } from './purpose-grid'

const LinkedAccountFacts = ({ linked }: { linked: LinkedBankAccount }) => (
  <RecordFacts nouns={linkedBankAccountNouns} record={linked}>
    <FactList>
      <Fact name="ID">
        <ShortId id={linked.id} what="linked bank account ID" />
      </Fact>
      {linked.account_id && (
        <Fact name="Account" field="account_id">
          <ShortId id={`acct_${linked.account_id}`} what="account ID" />
        </Fact>
      )}
      {linked.platform_id && (
        <Fact name="Platform" field="platform_id">
          <ShortId id={linked.platform_id} what="platform ID" />
        </Fact>
      )}
      <Fact name="Description" field="description">
        {linked.description ? <ExternalText>{linked.description}</ExternalText> : 'none'}
      </Fact>
      <RecordTimes record={linked} />
      <MetadataFacts metadata={linked.metadata} />
    </FactList>
  </RecordFacts>
)

type LinkedAccountHeadProps = Pick<
  RecordContentProps<'linked_bank_accounts.get'>,
  'answer' | 'reading' | 'onRead' | 'onClose'
> & {
  account: string | null
}

function LinkedAccountHead({ answer, account, reading, onRead, onClose }: LinkedAccountHeadProps) {
  const { environment } = usePageContext()
  const linkedAccount = answer.data
  const bankAccount = linkedAccount.bank_account
  return (
    <RecordHead
      nouns={linkedBankAccountNouns}
      record={linkedAccount}
      account={account}
      title={
        <>
          <ExternalText>
            {getNameOrDefault(bankAccount?.institution_name, 'Unknown bank')}
          </ExternalText>{' '}
          <ExternalText className="font-normal text-ink-2">
            {bankAccount?.account_mask}
          </ExternalText>
        </>
      }
      status={getStatusWords('linked_bank_account', linkedAccount.status)}
      readAt={answer.meta.read_at ?? ''}
      reading={reading}
      onRead={onRead}
      onClose={onClose}
    >
      in the name of{' '}
      <ExternalText className="font-medium text-ink">
        {getNameOrDefault(bankAccount?.account_holder, 'an unknown holder')}
      </ExternalText>
      ,{' '}
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

const CancelForm = lazy(() =>
  import('@/components/accounts/linked-bank-accounts/forms/cancel-form').then((module) => ({
    default: module.CancelLinkedAccountForm,
  })),
)

const nextStepByStatus: Readonly<Record<string, string>> = {
  created:
    'The bank account is verified together with the account it belongs to, once that account is submitted. Until then, the bank account can be corrected or canceled.',
  onboarding:
    'The service is verifying the bank account. Corrections are possible only if the service requests them.',
  active: 'Verified: money settles with this bank account.',
  rejected: 'The service rejected this bank account. Link another bank account.',
  inactive: 'Inactive: money no longer settles with this bank account.',
  canceled: 'Canceled before verification. Link the bank account again if that was a mistake.',
}

const isStuck = ({ status, status_detail: detail }: LinkedBankAccount) =>
  status === 'onboarding' && detail?.reason === 'stuck'

const findNextStepText = (linked: LinkedBankAccount) =>
  isStuck(linked)
    ? 'The service needs a correction: see below, in the service’s own words.'
    : findOwnValue(nextStepByStatus, linked.status)

const listActionChoices = (
  linked: LinkedBankAccount,
  getWriteDisabledReason: ReturnType<typeof useDisabledReasonGetter>,
  openEditPage: () => void,
): ActionChoice[] => [
  {
    operation: 'linked_bank_accounts.update',
    opens: 'Correct',
    key: 'e',
    disabledReason: getWriteDisabledReason(
      'linked_bank_accounts.update',
      whyNotChangeLinkedAccount('update', linked),
    ),
    press: openEditPage,
  },
  {
    operation: 'linked_bank_accounts.cancel',
    opens: 'Cancel bank account…',
    key: 'x',
    disabledReason: getWriteDisabledReason(
      'linked_bank_accounts.cancel',
      whyNotChangeLinkedAccount('cancel', linked),
    ),
  },
]

function LinkedAccountDetail(props: RecordContentProps<'linked_bank_accounts.get'>) {
  const { answer, actions, correlationId } = props
  const linkedBankAccount = answer.data
  const context = usePageContext()
  const router = useRouter()
  const account = linkedBankAccount.account_id ? `acct_${linkedBankAccount.account_id}` : null
  const outcomeState = useOutcome({
    actions,
    operation: 'linked_bank_accounts.update',
    onChanged: props.onChanged,
  })
  const recordChangeSources = useRecordChangeSources(answer.meta.read_at, actions)
  const [open, setOpen] = useState<WriteId | null>(null)
  const getWriteDisabledReason = useDisabledReasonGetter({ live: outcomeState.live })
  const nextStepText = findNextStepText(linkedBankAccount)
  const openEditPage = () =>
    router.push(
      editRecordPath(context, 'linked_bank_accounts', linkedBankAccount.id, {
        account: context.account,
      }),
    )
  return (
    <RecordLayout
      label="Linked bank account"
      one={linkedBankAccountNouns.one}
      record={props}
      head={<LinkedAccountHead {...props} account={account} />}
      foot={
        <ActionArea
          id={linkedBankAccount.id}
          label="Change"
          choices={listActionChoices(linkedBankAccount, getWriteDisabledReason, openEditPage)}
          state={outcomeState}
          open={open}
          onOpen={setOpen}
          now={getStatusWords('linked_bank_account', linkedBankAccount.status).label}
          happened={recordChangeSources}
          form={(form) => (
            <CancelForm
              {...form}
              linked={linkedBankAccount}
              account={account}
              snapshot={answer.meta.snapshot}
              correlationId={correlationId}
            />
          )}
        />
      }
    >
      <RecordColumn>
        <StatusNotice
          kind="linked_bank_account"
          status={linkedBankAccount.status}
          detail={linkedBankAccount.status_detail}
        >
          {nextStepText && <p>{nextStepText}</p>}
        </StatusNotice>
        <LinkedAccountNumbers linked={linkedBankAccount} account={account} />
        <PurposeGrid linked={linkedBankAccount} />
      </RecordColumn>
      <RecordColumn>
        <LinkedAccountFacts linked={linkedBankAccount} />
        {actions.length > 0 && <RecordTimeline history={[]} actions={actions} />}
      </RecordColumn>
    </RecordLayout>
  )
}

export const LinkedPanel = (props: PanelProps) => (
  <RecordPanel {...props} get="linked_bank_accounts.get" nouns={linkedBankAccountNouns}>
    {(record) => <LinkedAccountDetail key={record.id} {...record} />}
  </RecordPanel>
)
