'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Notice } from '@/components/ui/notice'
import type { CallError } from '@/lib/client/call-error'
import { useOperation } from '@/lib/client/query/writes'
import type { PasswordState } from '@/lib/operations/profile'

const noPasswordReasons: Readonly<Record<Exclude<PasswordState, 'own'>, string>> = {
  demo: 'The demo users share a password that everybody knows, so it cannot be changed.',
  none: 'You have no password in Paydesk: you sign in with your company account. Change its password there.',
}

export const OwnPassword = ({ state }: { state: PasswordState }) => (
  <Panel title="Password">
    {state === 'own' ? (
      <PasswordForm />
    ) : (
      <p className="text-ink-2 text-sm">{noPasswordReasons[state]}</p>
    )}
  </Panel>
)

type PasswordFaults = {
  old?: string | undefined
  password?: string | undefined
  again?: string | undefined
}

const passwordFieldSpecs = [
  { name: 'old', label: 'Current password', hint: undefined, autoComplete: 'current-password' },
  {
    name: 'password',
    label: 'New password',
    hint: 'At least 12 characters; a phrase of several words works well',
    autoComplete: 'new-password',
  },
  { name: 'again', label: 'Confirm password', hint: undefined, autoComplete: 'new-password' },
] as const

const toPasswordFaults = ({ items }: CallError): PasswordFaults => {
  const getFieldFault = (field: string) =>
    items.find(({ reference }) => reference === field)?.detail
  return { old: getFieldFault('old'), password: getFieldFault('password') }
}

function PasswordForm() {
  const context = usePageContext()
  const router = useRouter()
  const { mutate, reset, isPending, data, error } = useOperation<'profile.change_password'>(context)
  const [typedFaults, setTypedFaults] = useState<PasswordFaults>({})
  const fieldFaults = error ? toPasswordFaults(error) : {}
  const formError = fieldFaults.old || fieldFaults.password ? null : error
  const shownFaults = { ...typedFaults, ...fieldFaults }
  const endedSessionCount = data?.data.ended ?? null
  const sendPasswordChange = (form: HTMLFormElement, oldPassword: string, password: string) =>
    mutate(
      { operation: 'profile.change_password', input: { old: oldPassword, password } },
      {
        onSuccess: () => {
          form.reset()
          router.refresh()
        },
      },
    )
  const submitPassword = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    const form = event.currentTarget
    const [old = '', password = '', again = ''] = passwordFieldSpecs.map(({ name }) =>
      String(new FormData(form).get(name) ?? ''),
    )
    reset()
    setTypedFaults(password === again ? {} : { again: 'Passwords don’t match' })
    if (password === again) sendPasswordChange(form, old, password)
  }
  return (
    <form
      method="post"
      noValidate
      onSubmit={submitPassword}
      className="grid gap-3"
      aria-label="Change your password"
    >
      {endedSessionCount !== null && (
        <Notice role="status" tone="good" title="Your password is changed">
          <p>
            {endedSessionCount === 0
              ? 'You have no other session.'
              : 'Your other sessions were ended.'}
          </p>
        </Notice>
      )}
      {formError && (
        <ErrorNotice
          urgent
          what="Your password was not changed"
          error={formError.toWire()}
          requestId={formError.requestId}
        />
      )}
      <div className="grid items-start gap-3 sm:grid-cols-3">
        {passwordFieldSpecs.map(({ name, label, hint, autoComplete }) => (
          <Field key={name} label={label} hint={hint} error={shownFaults[name]}>
            {(control) => (
              <Input
                {...control}
                name={name}
                type="password"
                autoComplete={autoComplete}
                maxLength={200}
              />
            )}
          </Field>
        ))}
      </div>
      <div>
        <Button type="submit" variant="primary" loading={isPending}>
          Change password
        </Button>
      </div>
    </form>
  )
}
