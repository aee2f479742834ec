'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Notice } from '@/components/ui/notice'
import type { SignInResult } from '@/lib/client/session'
import { signIn } from '@/lib/client/session'

type SignInFailure = { title: string; detail: string }

type Credentials = { email: string; password: string }

const signInFailures: Record<Exclude<SignInResult, 'ok'>, SignInFailure> = {
  refused: {
    title: 'Sign-in failed',
    detail:
      'Wrong email or password, or too many attempts. Check both. After ten failed attempts, wait 30 minutes.',
  },
  busy: {
    title: 'Your password was not checked',
    detail:
      'Too many people are signing in, or the store of Paydesk does not answer. Wait a few seconds and try again.',
  },
  limited: {
    title: 'Too many failed sign-ins',
    detail:
      'Your password was not checked: too many failed sign-ins came from your network. Wait a minute and try again.',
  },
  unavailable: { title: 'Paydesk did not answer', detail: 'Check the connection and try again.' },
}

const takeFocus = (element: HTMLElement | null) => element?.focus()

/**
 * The form of the sign-in page, also shown in place after a session has ended. If `email` is given,
 * only that person can sign in, because the page may contain that person's unsent entries.
 */
export function CredentialsForm({
  email,
  onDone,
  submitLabel = 'Sign in',
  aside,
}: {
  email?: string
  onDone: () => void
  submitLabel?: string
  aside?: ReactNode
}) {
  const [isPasswordShown, setPasswordShown] = useState(false)
  const {
    mutate,
    isPending,
    data: result,
  } = useMutation({ mutationFn: ({ email, password }: Credentials) => signIn(email, password) })
  // The button stays busy after success, while the next page loads.
  const isBusy = isPending || result === 'ok'
  const failure = result && result !== 'ok' ? signInFailures[result] : null

  const submitCredentials = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const formData = new FormData(event.currentTarget)
    const credentials = {
      email: email ?? String(formData.get('email') ?? '').trim(),
      password: String(formData.get('password') ?? ''),
    }
    mutate(credentials, { onSuccess: (ended) => ended === 'ok' && onDone() })
  }

  return (
    // POST keeps the password out of the URL, even if the form is submitted before hydration.
    <form
      method="post"
      onSubmit={submitCredentials}
      className="grid gap-4"
      aria-label={submitLabel}
    >
      {failure && (
        <Notice ref={takeFocus} tabIndex={-1} tone="bad" title={failure.title} role="alert">
          <p>{failure.detail}</p>
        </Notice>
      )}
      {email ? (
        <p className="text-ink-2 text-sm">
          As <span className="font-medium text-ink">{email}</span>
        </p>
      ) : (
        <Field label="Email">
          {(control) => (
            <Input
              {...control}
              name="email"
              type="email"
              autoComplete="username"
              required
              maxLength={200}
              spellCheck={false}
            />
          )}
        </Field>
      )}
      <Field label="Password">
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              name="password"
              type={isPasswordShown ? 'text' : 'password'}
              autoComplete="current-password"
              required
              maxLength={200}
            />
            <Button
              aria-pressed={isPasswordShown}
              onClick={() => setPasswordShown(!isPasswordShown)}
            >
              {isPasswordShown ? 'Hide' : 'Show'}
              <span className="sr-only"> password</span>
            </Button>
          </div>
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          variant="primary"
          size="large"
          loading={isBusy}
          className={email ? '' : 'w-full'}
        >
          {isBusy ? 'Signing in' : submitLabel}
        </Button>
        {aside}
      </div>
    </form>
  )
}
