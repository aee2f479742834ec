'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { DownloadButton } from '@/components/kits/layout/download-button'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PageHeader } from '@/components/kits/layout/page-header'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { InviteForm } from '@/components/people/forms/invite-form'
import { OneTimeLink } from '@/components/people/one-time-link'
import { Button } from '@/components/ui/button'
import { Badge, type Tone } from '@/components/ui/tone'
import type { CallError } from '@/lib/client/call-error'
import { formatGrant } from '@/lib/client/page-context'
import { capitalizeFirst } from '@/lib/formats'
import { toApiRequestParts } from '@/lib/operations/http'
import type { InvitationLink, PersonView } from '@/lib/operations/people'
import { personPath } from '@/lib/routes'

const cellClasses = 'px-3 py-1.5 text-left align-top wrap-anywhere'

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
  const { environment } = usePageContext()
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
    <div className="mx-auto grid max-w-5xl gap-4 px-4 pb-6 lg:px-6">
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
        <div className="-m-3 overflow-x-auto">
          <table className="w-full min-w-[34rem] text-sm">
            <caption className="sr-only">People, by name</caption>
            <thead>
              <tr className="border-line border-b text-ink-3 text-xs">
                {['Person', 'Status', 'Roles', 'Last seen'].map((head) => (
                  <th key={head} scope="col" className={`${cellClasses} font-medium`}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {people.map((person) => (
                <PersonRow key={person.id} person={person} />
              ))}
            </tbody>
          </table>
        </div>
      </Panel>
    </div>
  )
}

function PersonRow({ person }: { person: PersonView }) {
  const context = usePageContext()
  return (
    <tr className="border-line border-b last:border-b-0">
      <th scope="row" className={`${cellClasses} font-medium`}>
        <Link href={personPath(context, person.id)} className="underline-offset-2 hover:underline">
          <ExternalText>{person.name}</ExternalText>
        </Link>
        {person.own && <span className="text-ink-3"> (you)</span>}
        <span className="block font-normal text-ink-3 text-xs">
          <ExternalText>{person.email}</ExternalText>
        </span>
      </th>
      <td className={cellClasses}>
        <Badge tone={toneByPersonState[person.state]}>{capitalizeFirst(person.state)}</Badge>
      </td>
      <td className={cellClasses}>
        {person.grants.length + person.grant_requests.length === 0 && (
          <span className="text-ink-3">none</span>
        )}
        {person.grants.map((grant) => (
          <span key={grant.id} className={grant.expired ? 'block text-ink-3' : 'block'}>
            {formatGrant(context, grant)}
            {grant.expired && ', expired'}
          </span>
        ))}
        {person.grant_requests.map((request) => (
          <span key={request.id} className="block text-ink-3">
            {formatGrant(context, request)}, waits for another admin
          </span>
        ))}
      </td>
      <td className={cellClasses}>
        {person.last_seen_at ? (
          <RelativeTime at={person.last_seen_at} show="ago" />
        ) : (
          <span className="text-ink-3">never</span>
        )}
      </td>
    </tr>
  )
}
