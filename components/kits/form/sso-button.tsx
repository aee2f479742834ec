'use client'

import { useState } from 'react'
import { Button, type ButtonProps } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { leaveForSso } from '@/lib/client/sso'

const failures = {
  limited: {
    title: 'Too many failed sign-ins',
    detail: 'Nothing was asked of your identity provider: too many failed sign-ins came from your network. Wait a minute and try again.',
  },
  unavailable: {
    title: 'Your identity provider cannot be reached',
    detail: 'Try again in a minute. If it stays so, ask whoever runs Paydesk to look into its log.',
  },
} as const

type SsoButtonProps = {
  /** Where to go afterwards. */
  next: string
  /** Whether the identity provider is to have the person prove again who they are. */
  fresh?: boolean
  label: string
} & Pick<ButtonProps, 'size' | 'variant' | 'className'>

/** Leads to the identity provider, from where one comes back signed in. */
export function SsoButton({ next, fresh = false, label, ...look }: SsoButtonProps) {
  const [state, setState] = useState<'open' | 'busy' | keyof typeof failures>('open')
  const leave = async () => {
    if (state === 'busy') return
    setState('busy')
    const result = await leaveForSso(next, fresh)
    if (result !== 'left') setState(result)
  }
  const failure = state === 'open' || state === 'busy' ? null : failures[state]
  return (
    <div className="grid gap-3">
      {failure && (
        <Notice tone="bad" title={failure.title} role="alert">
          <p>{failure.detail}</p>
        </Notice>
      )}
      <div className="grid justify-items-start">
        <Button {...look} loading={state === 'busy'} onClick={() => void leave()}>
          {label}
        </Button>
      </div>
    </div>
  )
}
