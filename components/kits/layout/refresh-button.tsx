'use client'

import { type ComponentProps, useEffect, useEffectEvent, useState } from 'react'
import { Button, Spinner } from '@/components/ui/button'

type RefreshButtonProps = Omit<ComponentProps<typeof Button>, 'loading' | 'onClick'> & {
  reading: boolean
  onRefresh: () => void
}

/**
 * A button that refreshes the data. A press during a refresh starts one more refresh afterwards,
 * because the running one may have read the data before the change that the person waits for.
 */
export function RefreshButton({
  reading,
  onRefresh,
  children = 'Refresh',
  ...props
}: RefreshButtonProps) {
  const [isQueued, setIsQueued] = useState(false)
  const refresh = useEffectEvent(onRefresh)
  useEffect(() => {
    if (reading || !isQueued) return
    setIsQueued(false)
    refresh()
  }, [reading, isQueued])
  return (
    <Button
      size="small"
      {...props}
      aria-busy={reading || undefined}
      onClick={() => setIsQueued(true)}
    >
      {reading && <Spinner />}
      {children}
    </Button>
  )
}
