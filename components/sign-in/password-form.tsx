'use client'

import { type FormEvent, useEffect, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Notice } from '@/components/ui/notice'
import { request } from '@/lib/client/call'
import { asCallError, type CallError } from '@/lib/client/call-error'
import { passwordApiPath, signInPath } from '@/lib/routes'

type Faults = { password?: string; again?: string }

const faultsIn = (error: CallError): Faults => {
  const detail = error.items.find(({ reference }) => reference === 'password')?.detail
  return detail ? { password: detail } : {}
}

/** Sets a password by the token in the address, which is taken out of it at once: no history and no screenshot has it. */
export function PasswordForm() {
  const [token, setToken] = useState<string | null>(null)
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open')
  const [faults, setFaults] = useState<Faults>({})
  const [failed, setFailed] = useState<CallError | null>(null)
  useEffect(() => {
    const given = location.hash.slice(1)
    if (given === '') return setToken((known) => known ?? '')
    setToken(given)
    history.replaceState(null, '', location.pathname)
  }, [])

  const send = async (password: string) => {
    setState('busy')
    try {
      await request(passwordApiPath, { method: 'POST', body: { token, password } })
      setState('done')
    } catch (cause) {
      const error = asCallError(cause)
      const placed = faultsIn(error)
      setFaults(placed)
      setFailed(placed.password ? null : error)
      setState('open')
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const [password, again] = ['password', 'again'].map((name) => String(fields.get(name)))
    setFailed(null)
    setFaults(password === again ? {} : { again: 'is not the same' })
    if (state === 'open' && password === again) void send(password ?? '')
  }

  if (state === 'done') {
    return (
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
  }
  if (token === '') {
    return (
      <Notice tone="bad" title="This link is not complete">
        <p>Open it again exactly as you got it, or ask an admin for another one.</p>
      </Notice>
    )
  }
  return (
    // POST keeps the password out of the address bar even where the script has not started yet.
    <form method="post" noValidate onSubmit={submit} className="grid gap-4" aria-label="Set your password">
      {failed && <ErrorNotice urgent what="Your password was not set" error={failed.toWire()} requestId={failed.requestId} />}
      <Field label="New password" hint="At least 12 characters; several words are easy to remember" error={faults.password}>
        {(control) => <Input {...control} name="password" type="password" autoComplete="new-password" maxLength={200} />}
      </Field>
      <Field label="The same again" error={faults.again}>
        {(control) => <Input {...control} name="again" type="password" autoComplete="new-password" maxLength={200} />}
      </Field>
      <Button type="submit" variant="primary" size="large" loading={state === 'busy'}>
        Set password
      </Button>
    </form>
  )
}
