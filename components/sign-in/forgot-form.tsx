'use client'

import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Notice } from '@/components/ui/notice'
import { sendRequest } from '@/lib/client/call'
import { forgotPasswordApiPath } from '@/lib/routes'

/** The message after sending does not reveal if the address is known. */
export function ForgotForm() {
  const {
    mutate,
    isPending,
    isSuccess,
    error: sendError,
  } = useMutation({
    mutationFn: (email: string) =>
      sendRequest(forgotPasswordApiPath, { method: 'POST', body: { email } }),
  })
  const submitEmail = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(String(new FormData(event.currentTarget).get('email')).trim())
  }
  if (isSuccess) {
    return (
      <Notice role="status" tone="good" title="Look into your mail">
        <p>
          If this address belongs to a person here, a link is on its way to it. It works once, for
          an hour.
        </p>
      </Notice>
    )
  }
  return (
    <form
      method="post"
      noValidate
      onSubmit={submitEmail}
      className="grid gap-4"
      aria-label="Forgot your password"
    >
      {sendError && (
        <ErrorNotice
          urgent
          what="Nothing was sent"
          error={sendError.toWire()}
          requestId={sendError.requestId}
        />
      )}
      <Field label="Email" hint="A link to set another password is sent to it">
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="username"
            maxLength={200}
            spellCheck={false}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="large" loading={isPending}>
        Send the link
      </Button>
    </form>
  )
}
