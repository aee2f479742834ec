'use client'

import { type FormEvent, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { useZone } from '@/components/kits/layout/preferences-context'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useOperation } from '@/lib/client/query/writes'
import { createGrantDraft, toGrantInput } from '@/lib/features/people/grant-draft'
import type { InvitationLink } from '@/lib/operations/people'
import { GrantFields } from './grant-fields'

type InviteFormProps = { onInvited: (invited: InvitationLink) => void; onCancel: () => void }

/** A form that invites a person with a first role. More roles are granted on the person's page. */
export function InviteForm({ onInvited, onCancel }: InviteFormProps) {
  const context = usePageContext()
  const zone = useZone()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [grant, setGrant] = useState(() => createGrantDraft(context.environment))
  const { mutate, isPending, isSuccess, error: failed } = useOperation<'people.invite'>(context)
  const isBusy = isPending || isSuccess
  const getFieldFault = (field: string) =>
    failed?.items.find(({ reference }) => reference === field)?.detail
  const submitInvitation = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const input = { name, email: email.trim(), grants: [toGrantInput(grant, zone)] }
    mutate({ operation: 'people.invite', input }, { onSuccess: ({ data }) => onInvited(data) })
  }
  return (
    <Panel title="Invite a person">
      <form
        noValidate
        onSubmit={submitInvitation}
        className="grid gap-3"
        aria-label="Invite a person"
      >
        <div className="grid items-start gap-3 sm:grid-cols-2">
          <Field label="Name" error={getFieldFault('name')}>
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                maxLength={100}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          <Field label="Email" error={getFieldFault('email')}>
            {(control) => (
              <Input
                {...control}
                type="email"
                autoComplete="off"
                maxLength={200}
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            )}
          </Field>
        </div>
        <GrantFields
          draft={grant}
          faultOf={(field) => getFieldFault(`grants.0.${field}`)}
          onChange={setGrant}
        />
        {failed && failed.items.length === 0 && (
          <ErrorNotice
            urgent
            what="Nobody was invited"
            error={failed.toWire()}
            requestId={failed.requestId}
          />
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" loading={isBusy}>
            Create invite link
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
      </form>
    </Panel>
  )
}
