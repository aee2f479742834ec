'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { FactRead } from '@/components/kits/record/fact-read'
import { Status } from '@/components/kits/record/status'
import { useFact } from '@/components/kits/record/use-fact'
import { buttonVariants } from '@/components/ui/button-variants'
import { accountName } from '@/lib/client/desk'
import { ownedByOthers, primaryRival, relationshipText } from '@/lib/domain/representative-rules'
import type { Representative } from '@/lib/operations/representatives.schema'
import { newPath, recordPath } from '@/lib/routes'

/** Everybody who speaks for the same account: the one shown among them, so that the shares can be added up at a glance. */
export function AccountPeople({ person }: { person: Representative }) {
  const desk = useDesk()
  const account = person.account_id
  const { fact, again } = useFact(
    desk,
    'representatives.list',
    account ? { account_id: account, page_size: 100 } : undefined,
    'Belongs to no account.',
  )
  const scope = account ? `acct_${account}` : null
  return (
    <Panel
      title={scope ? <bdi>Who speaks for {accountName(desk, scope)}</bdi> : 'Who else there is'}
      aside={
        scope && (
          <Link
            href={newPath(desk.environment, 'representatives', { account: scope })}
            className={`${buttonVariants({ size: 'small', variant: 'quiet' })} print:hidden`}
          >
            Add another
          </Link>
        )
      }
    >
      <FactRead fact={fact} onAgain={again} height="h-16">
        {(people) => <People people={people} shown={person.id} scope={scope} />}
      </FactRead>
    </Panel>
  )
}

function People({ people, shown, scope }: { people: readonly Representative[]; shown: string; scope: string | null }) {
  const { environment } = useDesk()
  const owned = ownedByOthers(people)
  return (
    <>
      <ul className="grid">
        {people.map((each) => (
          <li key={each.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-1.5 first:pt-0 last:border-b-0">
            {each.id === shown ? (
              <span aria-current="true" className="inline-flex min-h-6 items-center font-semibold">
                <bdi>{each.name ?? each.id}</bdi>
              </span>
            ) : (
              <Link
                href={recordPath(environment, 'representatives', each.id, { account: scope })}
                className="inline-flex min-h-6 items-center font-medium text-ink hover:underline"
              >
                <bdi>{each.name ?? each.id}</bdi>
              </Link>
            )}
            <Status kind="representative" status={each.status} />
            <span className="ml-auto text-ink-3 text-xs">{relationshipText(each)}</span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-ink-3 text-xs">
        {owned > 100 ? (
          <span className="font-medium text-held">They own {owned} % together, which is more than there is.</span>
        ) : (
          `They own ${owned} % together.`
        )}{' '}
        {primaryRival(people) ? '' : 'Nobody is primary.'}
      </p>
    </>
  )
}
