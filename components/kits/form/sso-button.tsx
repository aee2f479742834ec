'use client'

import { useMutation } from '@tanstack/react-query'
import { Button, type ButtonProps } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { redirectToSso } from '@/lib/client/sso'

const ssoFailures = {
  limited: {
    title: 'Too many failed sign-ins',
    detail:
      'Nothing was asked of your identity provider: too many failed sign-ins came from your network. Wait a minute and try again.',
  },
  unavailable: {
    title: 'Your identity provider cannot be reached',
    detail: 'Try again in a minute. If it stays so, ask whoever runs Paydesk to look into its log.',
  },
} as const

type SsoButtonProps = {
  next: string
  /** True if the identity provider must authenticate the person again. */
  fresh?: boolean
  label: string
} & Pick<ButtonProps, 'size' | 'variant' | 'className'>

export function SsoButton({ next, fresh = false, label, ...look }: SsoButtonProps) {
  const { mutate, isPending, data } = useMutation({ mutationFn: () => redirectToSso(next, fresh) })
  const isBusy = isPending || data === 'left'
  const failure = data === undefined || data === 'left' ? null : ssoFailures[data]
  return (
    <div className="grid gap-3">
      {failure && (
        <Notice tone="bad" title={failure.title} role="alert">
          <p>{failure.detail}</p>
        </Notice>
      )}
      <div className="grid justify-items-start">
        <Button {...look} loading={isBusy} onClick={() => isBusy || mutate()}>
          {label}
        </Button>
      </div>
    </div>
  )
}
