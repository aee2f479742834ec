'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Notice } from '@/components/ui/notice'
import { sendRequest } from '@/lib/client/call'
import type { CallError } from '@/lib/client/call-error'
import { passwordApiPath, signInPath } from '@/lib/routes'

type PasswordFaults = { password?: string; again?: string }

const toPasswordFaults = (error: CallError): PasswordFaults => {
  const passwordFault = error.items.find(({ reference }) => reference === 'password')?.detail
  return passwordFault ? { password: passwordFault } : {}
}

const PasswordSetNotice = () => (
  <Notice
    role="status"
    tone="good"
    title="Your password is set"
    actions={
      <a href={signInPath()} className={buttonVariants({ variant: 'primary' })}>
        Sign in
      </a>
    }
  >
    <p>The link cannot be used again.</p>
  </Notice>
)

const LinkUsedNotice = () => (
  <Notice
    role="status"
    tone="bad"
    title="This link was used already or has expired"
    actions={
      <a href={signInPath()} className={buttonVariants({ variant: 'primary' })}>
        Sign in
      </a>
    }
  >
    <p>If you have no password yet, ask an admin for another link.</p>
  </Notice>
)

const PasswordFields = ({ faults }: { faults: PasswordFaults }) => (
  <>
    <Field
      label="New password"
      hint="At least 12 characters; a phrase of several words works well"
      error={faults.password}
    >
      {(control) => (
        <Input
          {...control}
          name="password"
          type="password"
          autoComplete="new-password"
          maxLength={200}
        />
      )}
    </Field>
    <Field label="Confirm password" error={faults.again}>
      {(control) => (
        <Input
          {...control}
          name="again"
          type="password"
          autoComplete="new-password"
          maxLength={200}
        />
      )}
    </Field>
  </>
)

/**
 * A form that sets a password. The token from the emailed link is in the URL's fragment. It is
 * removed from the URL at once, so that it does not stay in the browser's history.
 */
export function PasswordForm() {
  const [token, setToken] = useState<string | null>(null)
  const [typedFaults, setTypedFaults] = useState<PasswordFaults>({})
  const { mutate, reset, isPending, isSuccess, error } = useMutation({
    mutationFn: (password: string) =>
      sendRequest(passwordApiPath, { method: 'POST', body: { token, password } }),
  })
  const { mutate: checkLink, error: linkError } = useMutation({
    mutationFn: (linkToken: string) =>
      sendRequest(passwordApiPath, { method: 'POST', body: { token: linkToken } }),
  })
  const fieldFaults = error ? toPasswordFaults(error) : {}
  const formError = fieldFaults.password ? null : error
  const shownFaults = { ...typedFaults, ...fieldFaults }
  useEffect(() => {
    const urlToken = location.hash.slice(1)
    if (urlToken === '') return setToken((known) => known ?? '')
    setToken(urlToken)
    checkLink(urlToken)
    history.replaceState(null, '', location.pathname)
  }, [checkLink])

  const submitPassword = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const formData = new FormData(event.currentTarget)
    const [password, again] = ['password', 'again'].map((name) => String(formData.get(name)))
    if (isPending) return
    reset()
    setTypedFaults(password === again ? {} : { again: 'Passwords don’t match' })
    if (password === again) mutate(password ?? '')
  }

  if (isSuccess) return <PasswordSetNotice />
  if (linkError?.code === 'changed') return <LinkUsedNotice />
  if (token === '') {
    return (
      <Notice tone="bad" title="This link is not complete">
        <p>Open it again exactly as you got it, or ask an admin for another one.</p>
      </Notice>
    )
  }
  return (
    // With POST, the password never appears in the URL, even if the form is submitted before
    // hydration.
    <form
      method="post"
      noValidate
      onSubmit={submitPassword}
      className="grid gap-4"
      aria-label="Set your password"
    >
      {formError && (
        <ErrorNotice
          urgent
          what="Your password was not set"
          error={formError.toWire()}
          requestId={formError.requestId}
        />
      )}
      <PasswordFields faults={shownFaults} />
      <Button type="submit" variant="primary" size="large" loading={isPending}>
        Set password
      </Button>
    </form>
  )
}
