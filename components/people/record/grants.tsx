'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { useZone } from '@/components/kits/layout/preferences-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { GrantFields } from '@/components/people/forms/grant-fields'
import { type GrantDecision, GrantRequests } from '@/components/people/list/grant-requests'
import { Button } from '@/components/ui/button'
import { Badge } from '@/components/ui/tone'
import { formatGrant } from '@/lib/client/page-context'
import { useOperation } from '@/lib/client/query/writes'
import { createGrantDraft, toGrantInput } from '@/lib/features/people/grant-draft'
import type { GrantView, PersonDetail } from '@/lib/operations/people'

const groupRoleDisabledReason =
  'This role comes from a group at the identity provider: change the group there.'

/**
 * A person's roles, each with start, end and granting admin. Admins cannot change their own roles.
 */
export function PersonGrants({ person }: { person: PersonDetail }) {
  const context = usePageContext()
  const zone = useZone()
  const router = useRouter()
  const [draft, setDraft] = useState(() => createGrantDraft(context.environment))
  const { id, own, grants, grant_requests: requests } = person
  const {
    mutate,
    isPending,
    variables,
    error: failed,
  } = useOperation<'people.grant' | 'people.take_grant' | GrantDecision>(context)
  const pendingOperation = isPending ? variables : null
  const sendGrantOperation = (request: NonNullable<typeof variables>) =>
    isPending || mutate(request, { onSuccess: () => router.refresh() })
  const submitGrant = (event: FormEvent) => {
    event.preventDefault()
    sendGrantOperation({ operation: 'people.grant', input: { id, ...toGrantInput(draft, zone) } })
  }
  const ownRolesDisabledReason = own
    ? 'Nobody can change their own roles: ask another admin.'
    : null
  const getFieldFault = (field: string) =>
    failed?.items.find(({ reference }) => reference === field)?.detail
  return (
    <Panel title="Roles">
      <div className="grid gap-3">
        {grants.length === 0 && requests.length === 0 && (
          <p className="text-ink-2 text-sm">No roles: this person can sign in and sees nothing.</p>
        )}
        <GrantList
          grants={grants}
          reason={ownRolesDisabledReason}
          removing={
            pendingOperation?.operation === 'people.take_grant'
              ? pendingOperation.input.grant
              : null
          }
          onRemove={(grant) =>
            sendGrantOperation({ operation: 'people.take_grant', input: { id, grant } })
          }
        />
        {requests.length > 0 && (
          <GrantRequests
            requests={requests}
            reason={ownRolesDisabledReason}
            running={
              pendingOperation?.operation === 'people.confirm_grant' ||
              pendingOperation?.operation === 'people.reject_grant'
                ? { operation: pendingOperation.operation, request: pendingOperation.input.request }
                : null
            }
            onDecide={(operation, request) =>
              sendGrantOperation({ operation, input: { id, request } })
            }
          />
        )}
        {failed && failed.items.length === 0 && (
          <ErrorNotice
            urgent
            what="Nothing was changed"
            error={failed.toWire()}
            requestId={failed.requestId}
          />
        )}
        {ownRolesDisabledReason ? (
          <p className="text-ink-3 text-xs">{ownRolesDisabledReason}</p>
        ) : (
          <form noValidate onSubmit={submitGrant} className="grid gap-3" aria-label="Grant a role">
            <h3 className="font-medium text-sm">Grant a role</h3>
            <GrantFields draft={draft} faultOf={getFieldFault} onChange={setDraft} />
            <div>
              <Button type="submit" loading={pendingOperation?.operation === 'people.grant'}>
                Grant the role
              </Button>
            </div>
          </form>
        )}
      </div>
    </Panel>
  )
}

type GrantListProps = {
  grants: readonly GrantView[]
  /** The reason the signed-in person cannot remove a role; null if they can. */
  reason: string | null
  /** Id of the grant whose removal is in progress. */
  removing: string | null
  onRemove: (grant: string) => void
}

function GrantList({ grants, reason, removing, onRemove }: GrantListProps) {
  const context = usePageContext()
  return (
    <ul className="grid text-sm">
      {grants.map((grant) => (
        <li
          key={grant.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-1.5 last:border-b-0"
        >
          <GrantText grant={grant} text={formatGrant(context, grant)} />
          <Button
            size="small"
            disabledReason={reason ?? (grant.from_sso ? groupRoleDisabledReason : null)}
            loading={removing === grant.id}
            onClick={() => onRemove(grant.id)}
          >
            Remove<span className="sr-only"> {formatGrant(context, grant)}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}

const GrantText = ({ grant, text }: { grant: GrantView; text: string }) => (
  <span className="grid">
    <span className="font-medium">
      <ExternalText>{text}</ExternalText> {grant.expired && <Badge>expired</Badge>}
    </span>
    <span className="text-ink-3 text-xs">
      Since <RelativeTime at={grant.created_at} show="moment" />
      {grant.from_sso && ', from a group at the identity provider'}
      {grant.granted_by && (
        <>
          , from <ExternalText>{grant.granted_by}</ExternalText>
        </>
      )}
      {grant.expires_at && (
        <>
          , until <RelativeTime at={grant.expires_at} show="moment" />
        </>
      )}
    </span>
  </span>
)
