'use client'

import { Button } from '@/components/ui/button'
import type { RefreshState } from './use-refresh'

type RefreshButtonProps = { label: string; state: RefreshState; closed: string | null; press: () => Promise<void> }

/** Asks for something anew; closed while it is on its way. */
export const RefreshButton = ({ label, state, closed, press }: RefreshButtonProps) => (
  <Button
    size="small"
    loading={state === 'sending' || state === 'asked'}
    disabledReason={closed}
    onClick={() => void press()}
    className="print:hidden"
  >
    {label}
  </Button>
)

/** How far the asking has come. */
export function RefreshLine({ state, here }: { state: RefreshState /** What is said once the result came. */; here: string }) {
  const words: Record<RefreshState, string> = {
    idle: '',
    sending: 'Asking…',
    asked: 'Asked. It comes by itself; this page looks every two seconds.',
    late: 'Still running at the service after a minute. What stands here is the last that is known; read again later.',
    here,
  }
  return (
    <p role="status" className={state === 'idle' ? 'sr-only' : 'text-ink-2 text-xs print:hidden'}>
      {words[state]}
    </p>
  )
}
