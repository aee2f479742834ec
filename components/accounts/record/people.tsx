'use client'

import type { ReactNode } from 'react'
import { addAccountPrefix } from '@/components/accounts/paths'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel, RecordStatusBadge } from '@/components/kits/layout/panel'
import { ReadResultBlock } from '@/components/kits/record/read-value'
import { buttonVariants } from '@/components/ui/button-variants'
import { Badge } from '@/components/ui/tone'
import { getAccountReasonText } from '@/lib/domain/account-labels'
import { getLinkedBankName } from '@/lib/features/accounts/linked-bank-accounts/rules'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'
import type { Representative } from '@/lib/operations/representatives.schema'
import { newRecordPath, recordPath } from '@/lib/routes'
import type { AccountRelatedReads } from './use-facts'

export function AccountPeopleAndBanks({ id, facts }: { id: string; facts: AccountRelatedReads }) {
  const context = usePageContext()
  const account = addAccountPrefix(id)
  const renderAddLink = (resource: 'representatives' | 'linked_bank_accounts', label: string) => (
    <Link
      href={newRecordPath(context, resource, { account })}
      className={`${buttonVariants({ size: 'small', variant: 'quiet' })} print:hidden`}
    >
      {label}
    </Link>
  )
  return (
    <>
      <Panel title="Representatives" aside={renderAddLink('representatives', 'Add')}>
        <ReadResultBlock read={facts.representatives} onAgain={facts.again}>
          {(people) => (
            <StatusList empty="No control person." items={people}>
              {(person) => (
                <StatusListItem
                  href={recordPath(context, 'representatives', person.id, { account })}
                  name={person.name ?? person.id}
                  status={<RepresentativeStatusBadge person={person} />}
                >
                  {listRoleNames(person).map((role) => (
                    <Badge key={role}>{role}</Badge>
                  ))}
                  {person.relationship?.title && (
                    <ExternalText>{person.relationship.title}</ExternalText>
                  )}
                </StatusListItem>
              )}
            </StatusList>
          )}
        </ReadResultBlock>
      </Panel>
      <Panel
        title="Linked bank accounts"
        aside={renderAddLink('linked_bank_accounts', 'Link another')}
      >
        <ReadResultBlock read={facts.linkedBankAccounts} onAgain={facts.again}>
          {(banks) => (
            <StatusList empty="No bank account is linked yet." items={banks}>
              {(bank) => (
                <StatusListItem
                  href={recordPath(context, 'linked_bank_accounts', bank.id, { account })}
                  name={getLinkedBankName(bank)}
                  status={<LinkedBankStatusBadge bank={bank} />}
                >
                  {bank.purposes.map((purpose) => (
                    <Badge key={purpose}>{purpose}</Badge>
                  ))}
                </StatusListItem>
              )}
            </StatusList>
          )}
        </ReadResultBlock>
      </Panel>
    </>
  )
}

function listRoleNames({ relationship }: Representative): string[] {
  const ownershipText =
    relationship?.percent_ownership === undefined
      ? 'owner'
      : `owns ${relationship.percent_ownership}%`
  return [
    relationship?.primary ? 'primary' : '',
    relationship?.control ? 'control' : '',
    relationship?.owner ? ownershipText : '',
  ].filter(Boolean)
}

const RepresentativeStatusBadge = ({ person }: { person: Representative }) => (
  <span title={getAccountReasonText(person.status_detail?.reason)}>
    <RecordStatusBadge kind="representative" status={person.status} />
  </span>
)

const LinkedBankStatusBadge = ({ bank }: { bank: LinkedBankAccount }) => (
  <span title={getAccountReasonText(bank.status_detail?.reason)}>
    <RecordStatusBadge kind="linked_bank_account" status={bank.status} />
  </span>
)

function StatusList<T extends { id: string }>({
  items,
  empty,
  children,
}: {
  items: readonly T[]
  empty: string
  children: (item: T) => ReactNode
}) {
  if (items.length === 0) return <p className="text-ink-2">{empty}</p>
  return (
    <ul className="grid">
      {items.map((item) => (
        <li
          key={item.id}
          className="border-line border-b py-1.5 first:pt-0 last:border-b-0 last:pb-0"
        >
          {children(item)}
        </li>
      ))}
    </ul>
  )
}

const StatusListItem = ({
  href,
  name,
  status,
  children,
}: {
  href: string
  name: string
  status: ReactNode
  children: ReactNode
}) => (
  <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
    <Link href={href} className="min-h-6 font-medium text-accent hover:underline">
      <ExternalText>{name}</ExternalText>
    </Link>
    <span className="flex flex-wrap items-center gap-1 text-ink-2 text-xs">{children}</span>
    <span className="ml-auto">{status}</span>
  </div>
)
