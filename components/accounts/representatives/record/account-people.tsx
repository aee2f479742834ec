'use client'

import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel, RecordStatusBadge } from '@/components/kits/layout/panel'
import { ReadResultBlock } from '@/components/kits/record/read-value'
import { useRelatedRead } from '@/components/kits/record/side-reads'
import { buttonVariants } from '@/components/ui/button-variants'
import { cn } from '@/components/ui/cn'
import { type Tone, ToneIcon, toneTextClasses } from '@/components/ui/tone'
import { getAccountName } from '@/lib/client/page-context'
import {
  findOtherPrimaryRepresentative,
  formatRelationships,
  hasOwner,
  listRelationships,
  type RelationshipItem,
  sumOtherOwnership,
} from '@/lib/features/accounts/representatives/rules'
import type { Representative } from '@/lib/operations/representatives.schema'
import { newRecordPath, recordPath } from '@/lib/routes'

const toYesNoLabel = (isOn: boolean | undefined): { tone: Tone; word: string } => {
  if (isOn === undefined) return { tone: 'unknown', word: 'Unknown' }
  return isOn ? { tone: 'good', word: 'Yes' } : { tone: 'neutral', word: 'No' }
}

export const RelationshipPanel = ({ person }: { person: Pick<Representative, 'relationship'> }) => (
  <Panel title="Relationship to the account">
    <ul className="grid">
      {listRelationships(person).map((tick) => (
        <RelationshipTickRow key={tick.id} {...tick} />
      ))}
    </ul>
  </Panel>
)

function RelationshipTickRow({ label, meaning, on }: RelationshipItem) {
  const { tone, word } = toYesNoLabel(on)
  return (
    <li className="grid min-h-7 grid-cols-[1rem_minmax(7rem,auto)_minmax(0,1fr)] items-baseline gap-x-2 border-line border-b py-1 last:border-b-0">
      <ToneIcon tone={tone} className={cn('size-4 self-center', toneTextClasses[tone])} />
      <span className={on ? 'font-medium' : 'text-ink-3'}>
        {label}
        <span className="sr-only">: {word}</span>
      </span>
      <span className="text-ink-3 text-xs">{meaning}</span>
    </li>
  )
}

export function AccountRepresentatives({ person }: { person: Representative }) {
  const context = usePageContext()
  const accountId = person.account_id
  const representativesRead = useRelatedRead(
    context,
    'representatives.list',
    accountId ? { account_id: accountId, page_size: 100 } : undefined,
    'The representative belongs to no account.',
  )
  const accountScope = accountId ? `acct_${accountId}` : null
  return (
    <Panel
      title={
        accountScope ? (
          <ExternalText>Representatives of {getAccountName(context, accountScope)}</ExternalText>
        ) : (
          'Other representatives'
        )
      }
      aside={
        accountScope && (
          <Link
            href={newRecordPath(context, 'representatives', { account: accountScope })}
            className={`${buttonVariants({ size: 'small', variant: 'quiet' })} print:hidden`}
          >
            Add another
          </Link>
        )
      }
    >
      <ReadResultBlock read={representativesRead} onAgain={representativesRead.again} height="h-16">
        {(people) => <RepresentativeList people={people} shown={person.id} scope={accountScope} />}
      </ReadResultBlock>
    </Panel>
  )
}

const getOwnersText = (people: readonly Representative[], ownedPercent: number) =>
  hasOwner(people) ? `The owners hold ${ownedPercent}% together.` : 'No owner.'

function RepresentativeList({
  people,
  shown,
  scope,
}: {
  people: readonly Representative[]
  shown: string
  scope: string | null
}) {
  const context = usePageContext()
  const ownedPercent = sumOtherOwnership(people)
  return (
    <>
      <ul className="grid">
        {people.map((each) => (
          <li
            key={each.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-1.5 first:pt-0 last:border-b-0"
          >
            {each.id === shown ? (
              <span aria-current="true" className="inline-flex min-h-6 items-center font-semibold">
                <ExternalText>{each.name ?? each.id}</ExternalText>
              </span>
            ) : (
              <Link
                href={recordPath(context, 'representatives', each.id, { account: scope })}
                className="inline-flex min-h-6 items-center font-medium text-accent hover:underline"
              >
                <ExternalText>{each.name ?? each.id}</ExternalText>
              </Link>
            )}
            <RecordStatusBadge kind="representative" status={each.status} />
            <span className="ml-auto text-ink-3 text-xs">{formatRelationships(each)}</span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-ink-3 text-xs">
        {ownedPercent > 100 ? (
          <span className="font-medium text-held">
            The owners hold {ownedPercent}% together, which is more than 100%.
          </span>
        ) : (
          getOwnersText(people, ownedPercent)
        )}{' '}
        {findOtherPrimaryRepresentative(people) ? '' : 'No primary contact.'}
      </p>
    </>
  )
}
