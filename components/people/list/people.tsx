'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { type Column, DataTable } from '@/components/kits/data-table/data-table'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { DownloadButton } from '@/components/kits/layout/download-button'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PageHeader, pageClasses } from '@/components/kits/layout/page-header'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { InviteForm } from '@/components/people/forms/invite-form'
import { OneTimeLink } from '@/components/people/one-time-link'
import { Button } from '@/components/ui/button'
import { rowLinkClasses } from '@/components/ui/button-variants'
import { cn } from '@/components/ui/cn'
import { StatusBadge, type Tone } from '@/components/ui/tone'
import type { CallError } from '@/lib/client/call-error'
import { formatGrant, type PageContext } from '@/lib/client/page-context'
import { capitalizeFirst } from '@/lib/formats'
import { toApiRequestParts } from '@/lib/operations/http'
import type { InvitationLink, PersonView } from '@/lib/operations/people'
import { personPath } from '@/lib/routes'

export const toneByPersonState: Readonly<Record<PersonView['state'], Tone>> = {
  invited: 'held',
  active: 'good',
  deactivated: 'neutral',
}

export const PeopleDeniedNotice = () => (
  <EmptyState level={1} tone="bad" title="You don’t have access to People">
    <p>
      Only an admin of the whole platform can see who may sign in. An admin can grant this role.
    </p>
  </EmptyState>
)

export function PeopleList({ people }: { people: readonly PersonView[] }) {
  const router = useRouter()
  const context = usePageContext()
  const { environment } = context
  const buildAccessReviewUrl = (format: 'csv' | 'json') =>
    toApiRequestParts('people.access_review', { format }, { environment }).url
  const [isInviting, setIsInviting] = useState(false)
  const [invitationLink, setInvitationLink] = useState<InvitationLink | null>(null)
  const [exportError, setExportError] = useState<CallError | null>(null)
  const showInvitationLink = (newLink: InvitationLink) => {
    setInvitationLink(newLink)
    setIsInviting(false)
    router.refresh()
  }
  const openInviteForm = () => {
    setInvitationLink(null)
    setIsInviting(true)
  }
  return (
    <div className={pageClasses.wide}>
      <PageHeader
        title="People"
        meta="Who may sign in, in every environment"
        actions={
          !isInviting && (
            <Button variant="primary" onClick={openInviteForm}>
              Invite a person
            </Button>
          )
        }
      />
      {exportError && (
        <ErrorNotice
          urgent
          what="No access review was saved"
          error={exportError.toWire()}
          requestId={exportError.requestId}
        />
      )}
      {invitationLink && <OneTimeLink invited={invitationLink} />}
      {isInviting && (
        <InviteForm onInvited={showInvitationLink} onCancel={() => setIsInviting(false)} />
      )}
      <Panel
        title={`${people.length} people`}
        aside={
          <span className="flex min-w-0 flex-wrap justify-end gap-2">
            <DownloadButton url={buildAccessReviewUrl('csv')} onFailed={setExportError}>
              Export access review as CSV
            </DownloadButton>
            <DownloadButton url={buildAccessReviewUrl('json')} onFailed={setExportError}>
              Export as JSON<span className="sr-only">: access review</span>
            </DownloadButton>
          </span>
        }
      >
        <div className="@container -m-3">
          <DataTable
            caption="People, by name"
            columns={buildPersonColumns(context)}
            rows={people}
            rowId={({ id }) => id}
          />
        </div>
      </Panel>
    </div>
  )
}

const buildPersonColumns = (context: PageContext): readonly Column<PersonView>[] => [
  {
    id: 'person',
    header: 'Person',
    narrow: 'title',
    cell: (person) => (
      <span>
        <Link href={personPath(context, person.id)} className={rowLinkClasses}>
          <ExternalText>{person.name}</ExternalText>
        </Link>
        {person.own && <span className="text-ink-3"> (you)</span>}
        <span className="block truncate text-ink-3 text-xs">
          <ExternalText>{person.email}</ExternalText>
        </span>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'Status',
    narrow: 'figure',
    cell: ({ state }) => (
      <StatusBadge tone={toneByPersonState[state]}>{capitalizeFirst(state)}</StatusBadge>
    ),
  },
  {
    id: 'roles',
    header: 'Roles',
    narrow: 'line',
    cell: (person) => <PersonRoles person={person} context={context} />,
  },
  {
    id: 'seen',
    header: 'Last seen',
    narrow: 'note',
    cell: ({ last_seen_at: lastSeenAt }) =>
      lastSeenAt ? (
        <RelativeTime at={lastSeenAt} show="ago" className="text-ink-2" />
      ) : (
        <span className="text-ink-3">never</span>
      ),
    className: '@min-[44rem]:w-32',
  },
]

function PersonRoles({ person, context }: { person: PersonView; context: PageContext }) {
  if (person.grants.length + person.grant_requests.length === 0)
    return <span className="text-ink-3">none</span>
  return (
    <span>
      {person.grants.map((grant) => (
        <span key={grant.id} className={cn('block truncate', grant.expired && 'text-ink-3')}>
          {formatGrant(context, grant)}
          {grant.expired && ', expired'}
        </span>
      ))}
      {person.grant_requests.map((request) => (
        <span key={request.id} className="block truncate text-ink-3">
          {formatGrant(context, request)}, waits for another admin
        </span>
      ))}
    </span>
  )
}
