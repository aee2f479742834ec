'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { Fact, Facts } from '@/components/kits/layout/facts'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { ReadTrouble } from '@/components/kits/record/read-trouble'
import { RecordHead } from '@/components/kits/record/record-head'
import { RecordFacts } from '@/components/kits/record/record-json'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { RecordTimeline } from '@/components/kits/record/record-timeline'
import { cn } from '@/components/ui/cn'
import { ShortId } from '@/components/ui/short-id'
import { OrganizationAccounts } from './organization-accounts'
import { organizationNouns } from './organization-nouns'

/** One organization: its accounts, what is known of it, and why nothing of it can be changed here. */
export function OrganizationDetail(props: RecordProps<'organizations.get'>) {
  const { answer, actions, onClose } = props
  const organization = answer.data
  const desk = useDesk()
  return (
    <article className="flex min-h-full flex-col" aria-label="Organization">
      <div
        className={cn(
          'grid flex-1 content-start gap-3 px-4 py-3 lg:px-6',
          !onClose && 'xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:gap-x-6',
        )}
      >
        <div className="grid gap-3 xl:col-span-full">
          <RecordHead
            nouns={organizationNouns}
            record={organization}
            account={null}
            title={<bdi>{organization.name}</bdi>}
            readAt={answer.meta.read_at ?? ''}
            reading={props.reading}
            onRead={props.onRead}
            onClose={onClose}
          >
            an organization of the platform in <span className="font-semibold text-ink">{desk.environment.toUpperCase()}</span>
          </RecordHead>
          <ReadTrouble one="organization" readError={props.readError} actionsError={props.actionsError} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <OrganizationAccounts id={organization.id} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <RecordFacts nouns={organizationNouns} record={organization}>
            <OrganizationFacts organization={organization} />
          </RecordFacts>
          {actions.length > 0 && <RecordTimeline history={[]} actions={actions} />}
        </div>
      </div>
      <p className="sticky bottom-0 border-line border-t bg-surface px-4 py-2.5 text-ink-3 text-xs lg:px-6 print:hidden">
        Name, external id and metadata stay as they were given: the service can neither change nor remove an organization. The accounts
        within it can be changed.
      </p>
    </article>
  )
}

const OrganizationFacts = ({ organization }: { organization: RecordProps<'organizations.get'>['answer']['data'] }) => (
  <Facts>
    <Fact name="Id">
      <ShortId id={organization.id} what="organization id" />
    </Fact>
    <Fact name="External id">{organization.external_id ? <ShortId id={organization.external_id} what="external id" /> : 'none'}</Fact>
    <Fact name="Created">{organization.created_at && <RelativeTime at={organization.created_at} />}</Fact>
    <Fact name="Changed">{organization.updated_at && <RelativeTime at={organization.updated_at} />}</Fact>
    {Object.entries(organization.metadata).map(([name, value]) => (
      <Fact key={name} name={<span className="break-all font-mono text-xs">{name}</span>}>
        <bdi className="break-all">{value}</bdi>
      </Fact>
    ))}
    {Object.keys(organization.metadata).length === 0 && <Fact name="Metadata">none</Fact>}
  </Facts>
)
