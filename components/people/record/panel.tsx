'use client'

import { useRouter } from 'next/navigation'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PageHeader, pageClasses } from '@/components/kits/layout/page-header'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { toneByPersonState } from '@/components/people/list/people'
import { OneTimeLink } from '@/components/people/one-time-link'
import { Button } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Notice } from '@/components/ui/notice'
import { StatusBadge } from '@/components/ui/tone'
import { useOperation } from '@/lib/client/query/writes'
import { groupsFaultTexts, signInMethodTexts } from '@/lib/features/people/rules'
import { capitalizeFirst } from '@/lib/formats'
import type { PersonDetail } from '@/lib/operations/people'
import { peoplePath } from '@/lib/routes'
import { PersonFactors } from './factors'
import { PersonGrants } from './grants'

const ownPersonDisabledReason = 'Nobody can do this to themselves: ask another admin.'

type PersonChangeOperation =
  `people.${'deactivate' | 'activate' | 'end_sessions' | 'remove_factors'}`

/**
 * Returns functions with which an admin changes a person, and their state: `running` is the pending
 * operation, `failed` its error, and `invited` contains the new invitation link.
 */
function usePersonChanges(id: string) {
  const context = usePageContext()
  const router = useRouter()
  const linkMutation = useOperation<'people.link'>(context)
  const changeMutation = useOperation<PersonChangeOperation>(context)
  const refreshPage = () => router.refresh()
  const startChangeIfIdle = (send: () => void) => {
    if (linkMutation.isPending || changeMutation.isPending) return
    changeMutation.reset()
    if (linkMutation.error) linkMutation.reset()
    send()
  }
  return {
    running:
      (linkMutation.isPending && linkMutation.variables.operation) ||
      (changeMutation.isPending && changeMutation.variables.operation),
    failed: linkMutation.error ?? changeMutation.error,
    invited: linkMutation.data?.data,
    makeLink: () =>
      startChangeIfIdle(() =>
        linkMutation.mutate(
          { operation: 'people.link', input: { id } },
          { onSuccess: refreshPage },
        ),
      ),
    run: (operation: PersonChangeOperation) =>
      startChangeIfIdle(() =>
        changeMutation.mutate({ operation, input: { id } }, { onSuccess: refreshPage }),
      ),
  }
}

/**
 * A notice that explains why the last sign-in did not update the roles that the person has from
 * groups at the identity provider.
 */
const GroupRolesNotice = ({ fault }: { fault: PersonDetail['groups_fault'] }) =>
  fault && (
    <Notice tone="held" title="Roles of groups were not updated">
      {groupsFaultTexts[fault]} Roles of groups stay as they were.
    </Notice>
  )

type ActivationButtonProps = { person: PersonDetail; isRunning: boolean; onRun: () => void }

function ActivationButton({ person, isRunning, onRun }: ActivationButtonProps) {
  const buttonProps = {
    loading: isRunning,
    disabledReason: person.own ? ownPersonDisabledReason : null,
  }
  if (person.state === 'deactivated')
    return (
      <Button {...buttonProps} onClick={onRun}>
        Activate
      </Button>
    )
  return (
    <ConfirmButton
      {...buttonProps}
      title={`Deactivate ${person.name}?`}
      text="This ends all their sessions. They cannot sign in until an admin activates them."
      confirm="Deactivate this person"
      onConfirm={onRun}
    >
      Deactivate
    </ConfirmButton>
  )
}

export function PersonRecord({ person }: { person: PersonDetail }) {
  const context = usePageContext()
  const { id, state, sessions } = person
  const { running, failed, invited, makeLink, run } = usePersonChanges(id)
  const activationOperation: PersonChangeOperation =
    state === 'deactivated' ? 'people.activate' : 'people.deactivate'
  return (
    <div className={pageClasses.text}>
      <PageHeader
        title={<ExternalText>{person.name}</ExternalText>}
        meta={<ExternalText>{person.email}</ExternalText>}
        actions={
          <>
            {state === 'invited' && (
              <Button loading={running === 'people.link'} onClick={makeLink}>
                Make another link
              </Button>
            )}
            <ActivationButton
              person={person}
              isRunning={running === activationOperation}
              onRun={() => run(activationOperation)}
            />
          </>
        }
        back={{ href: peoplePath(context), label: 'All people' }}
      />
      <p className="flex flex-wrap items-center gap-2 text-ink-2 text-sm">
        <StatusBadge tone={toneByPersonState[state]}>{capitalizeFirst(state)}</StatusBadge>
        <span>
          Joined <RelativeTime at={person.created_at} show="moment" />
        </span>
        {person.signs_in_by.length > 0 && (
          <span>
            Signs in with {person.signs_in_by.map((way) => signInMethodTexts[way]).join(' and ')}
          </span>
        )}
        {person.link_until && (
          <span>
            The invitation link works until <RelativeTime at={person.link_until} show="moment" />
          </span>
        )}
      </p>
      <GroupRolesNotice fault={person.groups_fault} />
      {failed && (
        <ErrorNotice
          urgent
          what="Nothing was changed"
          error={failed.toWire()}
          requestId={failed.requestId}
        />
      )}
      {invited && <OneTimeLink invited={invited} />}
      <PersonGrants person={person} />
      <PersonFactors
        person={person}
        busy={running === 'people.remove_factors'}
        onRemove={() => run('people.remove_factors')}
      />
      <Panel
        title="Sessions"
        aside={
          sessions.length > 0 && (
            <Button
              size="small"
              loading={running === 'people.end_sessions'}
              onClick={() => run('people.end_sessions')}
            >
              End all sessions
            </Button>
          )
        }
      >
        {sessions.length === 0 && <p className="text-ink-2 text-sm">Not signed in.</p>}
        <ul className="grid text-sm">
          {sessions.map(({ created_at, last_seen_at, expires_at }) => (
            <li
              key={`${created_at} ${last_seen_at}`}
              className="flex flex-wrap gap-x-4 gap-y-0.5 border-line border-b py-1.5 last:border-b-0"
            >
              <span>
                Signed in <RelativeTime at={created_at} show="moment" />
              </span>
              <span className="text-ink-2">
                Active <RelativeTime at={last_seen_at} show="ago" />
              </span>
              <span className="text-ink-3">
                Ends by <RelativeTime at={expires_at} show="moment" />
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}
