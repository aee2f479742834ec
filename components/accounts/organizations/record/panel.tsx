'use client'

import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Fact, FactList, Panel } from '@/components/kits/layout/panel'
import { ReadResultBlock } from '@/components/kits/record/read-value'
import { RecordHead } from '@/components/kits/record/record-head'
import { MetadataFacts, RecordFacts, RecordTimes } from '@/components/kits/record/record-json'
import { RecordColumn, RecordLayout } from '@/components/kits/record/record-layout'
import {
  type PanelProps,
  type RecordContentProps,
  RecordPanel,
} from '@/components/kits/record/record-panel'
import { RecordTimeline } from '@/components/kits/record/record-timeline'
import { useRelatedRead } from '@/components/kits/record/side-reads'
import { buttonVariants } from '@/components/ui/button-variants'
import { ShortId } from '@/components/ui/copy-button'
import { StatusBadge } from '@/components/ui/tone'
import { describeAccountStatus } from '@/lib/domain/account-labels'
import { getNameOrDefault } from '@/lib/domain/service-words'
import { organizationNouns } from '@/lib/features/accounts/labels'
import type { Account } from '@/lib/operations/accounts.schema'
import { findTotalRowCount } from '@/lib/operations/list-count'
import { newRecordPath, recordPath } from '@/lib/routes'

const accountsPageSize = 1000

/** The service cannot filter by organization, so up to 1,000 accounts are read and filtered. */
function OrganizationAccounts({ id }: { id: string }) {
  const context = usePageContext()
  const accountsRead = useRelatedRead({ ...context, account: null }, 'accounts.list', {
    page_size: accountsPageSize,
    sort_by: 'name',
    sort_order: 'asc',
  })
  const accounts = accountsRead.data?.filter((account) => account.organization_id === id) ?? []
  const accountTotal = accountsRead.data
    ? findTotalRowCount(
        { data: accountsRead.data, meta: accountsRead.meta ?? {} },
        { size: accountsPageSize },
      )
    : 0
  const notLoadedAccountCount =
    accountTotal === null ? null : accountTotal - (accountsRead.data?.length ?? 0)
  return (
    <Panel
      title="Accounts"
      aside={
        <span className="flex items-center gap-2 text-ink-3 text-xs">
          {accountsRead.data && accounts.length}
          <Link
            href={newRecordPath(context, 'accounts', { organization: id })}
            className={`${buttonVariants({ size: 'small', variant: 'quiet' })} print:hidden`}
          >
            New account
          </Link>
        </span>
      }
    >
      <ReadResultBlock read={accountsRead} onAgain={accountsRead.again}>
        {() =>
          accounts.length === 0 ? (
            <p className="text-ink-2">No accounts in this organization yet.</p>
          ) : (
            <AccountLinkList accounts={accounts} />
          )
        }
      </ReadResultBlock>
      {accountsRead.data && notLoadedAccountCount !== 0 && (
        <p className="mt-2 text-held text-xs">
          {notLoadedAccountCount?.toLocaleString('en-US') ?? 'Some'} accounts of the platform could
          not be read; some may belong to this organization.
        </p>
      )}
    </Panel>
  )
}

function AccountLinkList({ accounts }: { accounts: readonly Account[] }) {
  const context = usePageContext()
  return (
    <ul className="grid">
      {accounts.map((account) => {
        const { label, tone, why } = describeAccountStatus(account)
        const accountScope = `acct_${account.id}`
        return (
          <li
            key={account.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-1.5 first:pt-0 last:border-b-0 last:pb-0"
          >
            <Link
              href={recordPath(context, 'accounts', account.id, { account: accountScope })}
              className="inline-flex min-h-6 items-center font-medium text-accent hover:underline"
            >
              <ExternalText>{account.business_profile?.name ?? account.id}</ExternalText>
            </Link>
            <StatusBadge tone={tone}>{label}</StatusBadge>
            {why && <span className="text-ink-3 text-xs">{why}</span>}
          </li>
        )
      })}
    </ul>
  )
}

function OrganizationDetail(props: RecordContentProps<'organizations.get'>) {
  const { answer, actions, onClose } = props
  const organization = answer.data
  const context = usePageContext()
  return (
    <RecordLayout
      label="Organization"
      one="organization"
      record={props}
      head={
        <RecordHead
          nouns={organizationNouns}
          record={organization}
          account={null}
          title={
            <ExternalText>
              {getNameOrDefault(organization.name, 'Unnamed organization')}
            </ExternalText>
          }
          readAt={answer.meta.read_at ?? ''}
          reading={props.reading}
          onRead={props.onRead}
          onClose={onClose}
        >
          an organization of the platform in{' '}
          <span className="font-semibold text-ink">{context.environment.toUpperCase()}</span>
        </RecordHead>
      }
      foot={
        <p className="sticky bottom-0 border-line border-t bg-surface px-4 py-2.5 text-ink-3 text-xs lg:px-6 print:hidden">
          The name, external ID and metadata of an organization cannot be changed, and an
          organization cannot be removed.
        </p>
      }
    >
      <RecordColumn>
        <OrganizationAccounts id={organization.id} />
      </RecordColumn>
      <RecordColumn>
        <RecordFacts nouns={organizationNouns} record={organization}>
          <OrganizationFacts organization={organization} />
        </RecordFacts>
        {actions.length > 0 && <RecordTimeline history={[]} actions={actions} />}
      </RecordColumn>
    </RecordLayout>
  )
}

const OrganizationFacts = ({
  organization,
}: {
  organization: RecordContentProps<'organizations.get'>['answer']['data']
}) => (
  <FactList>
    <Fact name="ID">
      <ShortId id={organization.id} what="organization ID" />
    </Fact>
    <Fact name="External ID" field="external_id">
      {organization.external_id ? (
        <ShortId id={organization.external_id} what="external ID" />
      ) : (
        'none'
      )}
    </Fact>
    <RecordTimes record={organization} />
    <MetadataFacts metadata={organization.metadata} />
    {Object.keys(organization.metadata).length === 0 && <Fact name="Metadata">none</Fact>}
  </FactList>
)

export const OrganizationPanel = (props: PanelProps) => (
  <RecordPanel {...props} get="organizations.get" nouns={organizationNouns}>
    {(record) => <OrganizationDetail key={record.id} {...record} />}
  </RecordPanel>
)
