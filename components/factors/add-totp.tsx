'use client'

import { type FormEvent, lazy, useState } from 'react'
import { focusOnMountWithoutScroll } from '@/components/kits/layout/focus'
import { Boundary } from '@/components/ui/boundary'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Skeleton } from '@/components/ui/skeleton'
import type { FactorsState } from './use-factors'

const QrCode = lazy(() => import('./qr-code').then((module) => ({ default: module.QrCode })))

export type PendingTotp = { enrollment: string; secret: string; uri: string }

/** A code from the app proves that the app has the secret. */
export function AddTotp({
  begun,
  hook,
  onDone,
}: {
  begun: PendingTotp
  hook: FactorsState
  onDone: () => void
}) {
  const [code, setCode] = useState('')
  const codeError = hook.failed?.items.find(({ reference }) => reference === 'code')
  const sendTotpCode = async (event: FormEvent) => {
    event.preventDefault()
    if (hook.busy) return
    const addedFactor = await hook.run('confirm_totp', () =>
      hook.ask('factors.confirm_totp', { enrollment: begun.enrollment, code }),
    )
    if (addedFactor) {
      hook.added(addedFactor)
      onDone()
    }
  }
  return (
    <form
      aria-label="Add an authenticator app"
      noValidate
      onSubmit={sendTotpCode}
      className="grid gap-3 rounded border border-line bg-bg p-3"
    >
      <p className="text-ink-2 text-sm">
        Scan the code with your authenticator app, or type the key into it. Then enter the code it
        shows.
      </p>
      <div className="flex flex-wrap items-start gap-4">
        <Boundary fallback={<Skeleton className="size-44" />}>
          <QrCode text={begun.uri} label="QR code of the key" />
        </Boundary>
        <div className="grid min-w-0 flex-1 basis-56 gap-3">
          <div className="grid gap-1">
            <span className="font-medium text-sm">Key</span>
            <span className="flex flex-wrap items-center gap-1">
              <code className="select-all break-all font-mono text-sm">{begun.secret}</code>
              <CopyButton text={begun.secret} what="key" />
            </span>
          </div>
          <Field label="Code" hint="Six digits" error={codeError?.detail}>
            {(control) => (
              <Input
                {...control}
                ref={focusOnMountWithoutScroll}
                value={code}
                inputMode="numeric"
                autoComplete="one-time-code"
                onChange={(event) => setCode(event.target.value)}
              />
            )}
          </Field>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={hook.busy === 'confirm_totp'}>
          Add authenticator app
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
